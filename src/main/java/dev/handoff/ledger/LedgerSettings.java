package dev.handoff.ledger;

import com.typesafe.config.Config;
import java.time.Duration;

/// How a ledger batches, when it says no, and when it writes a checkpoint: `handoff.ledger` in
/// `reference.conf`.
///
/// @param batchFacts a batch is closed at so many facts
/// @param batchBytes or at so many bytes
/// @param maxAppend an append larger than this is refused
/// @param backlog appends that wait for the store, in bytes; beyond it they are answered
///   `Unavailable`
/// @param checkpointAfter the least log, in bytes, that is worth a checkpoint
/// @param chunk about the size of one piece of a checkpoint
/// @param retryAfter what a refused sender is told to wait
public record LedgerSettings(
    int batchFacts,
    int batchBytes,
    int maxAppend,
    long backlog,
    long checkpointAfter,
    int chunk,
    Duration retryAfter) {

  public LedgerSettings {
    requireAtLeast("batch-facts", batchFacts, 1);
    requireAtLeast("batch-bytes", batchBytes, 1024);
    requireAtLeast("max-append", maxAppend, 1024);
    requireAtLeast("backlog", backlog, batchBytes);
    requireAtLeast("checkpoint-after", checkpointAfter, 1024);
    requireAtLeast("chunk", chunk, 1024);
    if (!retryAfter.isPositive()) {
      throw new IllegalArgumentException(
          "handoff.ledger.retry-after must be more than 0, was " + retryAfter);
    }
  }

  public static LedgerSettings from(Config config) {
    return new LedgerSettings(
        config.getInt("batch-facts"),
        (int) (long) config.getBytes("batch-bytes"),
        (int) (long) config.getBytes("max-append"),
        config.getBytes("backlog"),
        config.getBytes("checkpoint-after"),
        (int) (long) config.getBytes("chunk"),
        config.getDuration("retry-after"));
  }

  private static void requireAtLeast(String key, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "handoff.ledger.%s must be at least %d, was %d".formatted(key, least, value));
    }
  }
}
