package dev.handoff.internal.ledger;

import com.typesafe.config.Config;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;

/// Settings of a ledger's batches, backlog and checkpoints: `handoff.ledger` in `reference.conf`.
///
/// @param batchFacts maximum number of facts in a batch
/// @param batchBytes maximum number of bytes in a batch
/// @param maxAppend maximum bytes of an append; a larger one is refused
/// @param backlog maximum bytes of one partition's waiting appends; more are answered `Unavailable`
/// @param checkpointAfter minimum bytes of log before a checkpoint
/// @param chunk approximate size of one piece of a checkpoint
/// @param rest pause after a piece of a checkpoint, and after a deleted slice of old log
/// @param retryAfter retry delay told to refused senders
public record LedgerSettings(
    int batchFacts,
    int batchBytes,
    int maxAppend,
    long backlog,
    long checkpointAfter,
    int chunk,
    Duration rest,
    Duration retryAfter) {

  /// Limit of one write: memory holds several copies of a write, and a store accepts at most twice
  /// this size.
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

  /// Settings for one of several partitions. Their backlogs together hold as much as two full ones,
  /// so that memory does not grow with the number of partitions.
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
    return (long) Math.max(batchBytes, maxAppend) + AppendBacklog.OVERHEAD;
  }

  private static int size(Config config, String key) {
    long bytes = config.getBytes(key);
    if (bytes > MOST_AT_ONCE) {
      throw new IllegalArgumentException(
          "handoff.ledger.%s must be at most %d, was %d".formatted(key, MOST_AT_ONCE, bytes));
    }
    return (int) bytes;
  }

  /// Backlog limit for submissions: room for at least one append of maximum size.
  long submissions() {
    return Math.max(backlog - backlog / 10, (long) maxAppend + AppendBacklog.OVERHEAD);
  }

  private static void requireAtLeast(String key, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "handoff.ledger.%s must be at least %d, was %d".formatted(key, least, value));
    }
  }
}
