package dev.handoff.store;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// What a batch holds, before any database sees it: whether it can be stored, and how to recognise
/// it.
final class Content {

  /// Far above what a ledger hands in, and far below what a driver or a database chokes on.
  static final long MOST_BYTES = 256L << 20;

  private Content() {}

  /// Why no store takes this batch, or null if all do.
  static @Nullable String fault(Batch batch) {
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
      if (Text.fault(id) != null) {
        return "reopened id: " + Text.fault(id);
      }
    }
    long bytes = bytes(batch);
    return bytes > MOST_BYTES ? bytes + " bytes, more than " + MOST_BYTES : null;
  }

  /// About how large it is.
  static long bytes(Batch batch) {
    long bytes = batch.facts().length;
    for (var row : batch.ended()) {
      bytes += row.state().length;
    }
    return bytes;
  }

  private static @Nullable String fault(KeptKey kept) {
    String fault = named("key", Text.indexedFault(kept.key()));
    fault = fault != null ? fault : named("id", Text.fault(kept.id()));
    fault = fault != null ? fault : named("fingerprint", Text.fault(kept.fingerprint()));
    return fault != null ? fault : named("ended", fault(kept.endedAt()));
  }

  private static @Nullable String fault(HistoryRow row) {
    String fault = named("id", Text.indexedFault(row.id()));
    fault = fault != null ? fault : named("status", Text.indexedFault(row.status()));
    fault = fault != null ? fault : named("key", Text.indexedFault(row.key()));
    fault = fault != null ? fault : named("kind", Text.fault(row.kind()));
    fault = fault != null ? fault : named("type", Text.fault(row.type()));
    fault = fault != null ? fault : named("queue", Text.fault(row.queue()));
    fault = fault != null ? fault : named("plan", Text.fault(row.plan()));
    fault = fault != null ? fault : named("labels", Text.fault(row.labels()));
    fault = fault != null ? fault : named("fingerprint", Text.fault(row.fingerprint()));
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

  /// Tells a batch that is handed in again from another one with the same number.
  static long digest(Batch batch) {
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
