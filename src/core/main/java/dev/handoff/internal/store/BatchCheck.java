package dev.handoff.internal.store;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Validation and digest of batches, independent of the database.
public final class BatchCheck {

  /// Size limit far above the batches of a ledger, and far below the limits of drivers and
  /// databases.
  static final long MOST_BYTES = 256L << 20;

  private BatchCheck() {}

  /// Reason why no store accepts this batch; null if every store does.
  static @Nullable String fault(StoreBatch batch) {
    for (int at = 0; at < batch.ended().size(); at++) {
      String fault = fault(batch.ended().get(at));
      if (fault != null) {
        return "history row " + at + ": " + fault;
      }
    }
    for (KeptKey kept : batch.keptKeys()) {
      String fault = fault(kept);
      if (fault != null) {
        return "key without a row: " + fault;
      }
    }
    for (String id : batch.reopened()) {
      if (StorableText.fault(id) != null) {
        return "reopened id: " + StorableText.fault(id);
      }
    }
    long bytes = bytes(batch);
    return bytes > MOST_BYTES ? bytes + " bytes, more than " + MOST_BYTES : null;
  }

  /// Approximate size of a batch.
  public static long bytes(StoreBatch batch) {
    long bytes = batch.facts().length;
    for (var row : batch.ended()) {
      bytes += row.state().length;
    }
    return bytes;
  }

  private static @Nullable String fault(KeptKey kept) {
    String fault = named("key", StorableText.indexedFault(kept.key()));
    fault = fault != null ? fault : named("id", StorableText.fault(kept.id()));
    fault = fault != null ? fault : named("fingerprint", StorableText.fault(kept.fingerprint()));
    return fault != null ? fault : named("ended", fault(kept.endedAt()));
  }

  private static @Nullable String fault(HistoryRow row) {
    String fault = named("id", StorableText.indexedFault(row.id()));
    fault = fault != null ? fault : named("status", StorableText.indexedFault(row.status()));
    fault = fault != null ? fault : named("key", StorableText.indexedFault(row.key()));
    fault = fault != null ? fault : named("kind", StorableText.fault(row.kind()));
    fault = fault != null ? fault : named("type", StorableText.fault(row.type()));
    fault = fault != null ? fault : named("queue", StorableText.fault(row.queue()));
    fault = fault != null ? fault : named("plan", StorableText.fault(row.plan()));
    fault = fault != null ? fault : named("labels", StorableText.fault(row.labels()));
    fault = fault != null ? fault : named("fingerprint", StorableText.fault(row.fingerprint()));
    fault = fault != null ? fault : named("created", fault(row.createdAt()));
    return fault != null ? fault : named("finished", fault(row.finishedAt()));
  }

  private static @Nullable String fault(Instant instant) {
    try {
      instant.toEpochMilli();
      return null;
    } catch (ArithmeticException beyond) {
      return "no time that counts in milliseconds: " + instant;
    }
  }

  private static @Nullable String named(String column, @Nullable String fault) {
    return fault == null ? null : column + " has " + fault;
  }

  /// Digest that tells a repeated batch from a different one with the same number.
  public static long digest(StoreBatch batch) {
    var crc = new CRC32C();
    crc.update(batch.facts());
    for (HistoryRow row : batch.ended()) {
      crc.update(row.id().getBytes(StandardCharsets.UTF_8));
      crc.update(row.state());
    }
    for (KeptKey kept : batch.keptKeys()) {
      crc.update(kept.id().getBytes(StandardCharsets.UTF_8));
    }
    for (String id : batch.reopened()) {
      crc.update(id.getBytes(StandardCharsets.UTF_8));
    }
    return crc.getValue();
  }
}
