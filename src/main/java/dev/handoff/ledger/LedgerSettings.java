package dev.handoff.ledger;

import com.typesafe.config.Config;
import dev.handoff.actor.DurationWords;
import java.time.Duration;

/// How a ledger batches, when it says no, and when it writes a checkpoint: `handoff.ledger` in
/// `reference.conf`.
///
/// @param batchFacts a batch is closed at so many facts
/// @param batchBytes or at so many bytes
/// @param maxAppend an append larger than this is refused
/// @param backlog appends of one partition that wait for the store, in bytes; beyond it they are
///   answered `Unavailable`
/// @param checkpointAfter the least log, in bytes, that is worth a checkpoint
/// @param chunk about the size of one piece of a checkpoint
/// @param rest the pause after a piece of a checkpoint, and after a slice of old log is deleted
/// @param retryAfter what a refused sender is told to wait
public record LedgerSettings(
    int batchFacts,
    int batchBytes,
    int maxAppend,
    long backlog,
    long checkpointAfter,
    int chunk,
    Duration rest,
    Duration retryAfter) {

  /// What is written at once is held in memory a few times, and a store takes no more than twice
  /// this.
  private static final int MOST_AT_ONCE = 128 << 20;

  public LedgerSettings {
    requireAtLeast("batch-facts", batchFacts, 1);
    requireAtLeast("batch-bytes", batchBytes, 1024);
    requireAtLeast("max-append", maxAppend, 1024);
    requireAtLeast("backlog", backlog, leastBacklog(batchBytes, maxAppend));
    requireAtLeast("checkpoint-after", checkpointAfter, 1024);
    requireAtLeast("chunk", chunk, 1024);
    if (rest.isNegative()) {
      throw new IllegalArgumentException(
          "handoff.ledger.rest must be at least 0s, was " + DurationWords.exact(rest));
    }
    if (!retryAfter.isPositive()) {
      throw new IllegalArgumentException(
          "handoff.ledger.retry-after must be more than 0s, was "
              + DurationWords.exact(retryAfter));
    }
  }

  public static LedgerSettings from(Config config) {
    return new LedgerSettings(
        config.getInt("batch-facts"),
        size(config, "batch-bytes"),
        size(config, "max-append"),
        config.getBytes("backlog"),
        config.getBytes("checkpoint-after"),
        size(config, "chunk"),
        config.getDuration("rest"),
        config.getDuration("retry-after"));
  }

  /// The same for one of so many partitions. All of them together hold what two would: memory does
  /// not grow with their number.
  public LedgerSettings among(int partitions) {
    long share = Math.max(2 * backlog / partitions, leastBacklog(batchBytes, maxAppend));
    return new LedgerSettings(
        batchFacts,
        batchBytes,
        maxAppend,
        Math.min(backlog, share),
        checkpointAfter,
        chunk,
        rest,
        retryAfter);
  }

  private static long leastBacklog(int batchBytes, int maxAppend) {
    return (long) Math.max(batchBytes, maxAppend) + Backlog.OVERHEAD;
  }

  private static int size(Config config, String key) {
    long bytes = config.getBytes(key);
    if (bytes > MOST_AT_ONCE) {
      throw new IllegalArgumentException(
          "handoff.ledger.%s must be at most %d, was %d".formatted(key, MOST_AT_ONCE, bytes));
    }
    return (int) bytes;
  }

  /// The part of the backlog that submissions may take: one that is as large as may be fits.
  long submissions() {
    return Math.max(backlog - backlog / 10, (long) maxAppend + Backlog.OVERHEAD);
  }

  private static void requireAtLeast(String key, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "handoff.ledger.%s must be at least %d, was %d".formatted(key, least, value));
    }
  }
}
