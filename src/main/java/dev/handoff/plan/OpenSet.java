package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.job.Text;
import dev.handoff.plan.change.Entry;
import dev.handoff.plan.change.Seal;
import dev.handoff.plan.change.SetBody;
import java.time.Instant;
import java.util.List;

/// A changeset that a caller has opened: what is recorded in it is durable, and counts when it is
/// closed.
///
/// @param bytes about how much its entries take when they are stored
public record OpenSet(
    String id,
    String label,
    String by,
    Instant at,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Entry> entries,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long bytes) {

  private static final int ENTRY_BYTES = 220;

  public OpenSet {
    entries = SharingList.from(entries == null ? List.of() : entries);
  }

  static OpenSet empty(String id, String label, String by, Instant at) {
    return new OpenSet(id, label, by, at, List.of(), 0);
  }

  /// The seal that the next entry follows.
  String lastSeal() {
    return entries.isEmpty() ? Seal.first(id) : entries.getLast().seal();
  }

  OpenSet plus(List<Entry> more) {
    long added = more.stream().mapToLong(entry -> bytes(entry.path())).sum();
    return new OpenSet(id, label, by, at, SharingList.from(entries).plus(more), bytes + added);
  }

  /// About how much the entry of a file takes.
  static long bytes(String path) {
    return ENTRY_BYTES + Text.bytes(path);
  }

  /// What is stored when it is closed.
  public SetBody body() {
    return new SetBody(entries, List.of());
  }
}
