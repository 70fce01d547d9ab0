package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.internal.text.SafeText;
import java.time.Instant;
import java.util.List;

/// Open changeset of a caller. Recorded changes are durable at once, and take effect at the close.
///
/// @param bytes approximate stored size of the entries
public record OpenChangeset(
    String id,
    String label,
    String by,
    Instant at,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ChangeEntry> entries,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long bytes) {

  private static final int ENTRY_BYTES = 220;

  public OpenChangeset {
    entries = PersistentList.from(entries == null ? List.of() : entries);
  }

  static OpenChangeset empty(String id, String label, String by, Instant at) {
    return new OpenChangeset(id, label, by, at, List.of(), 0);
  }

  /// Predecessor seal of the next entry.
  String lastSeal() {
    return entries.isEmpty() ? ChainHash.first(id) : entries.getLast().seal();
  }

  OpenChangeset plus(List<ChangeEntry> more) {
    long added = more.stream().mapToLong(entry -> bytes(entry.path())).sum();
    return new OpenChangeset(
        id, label, by, at, PersistentList.from(entries).plus(more), bytes + added);
  }

  /// Approximate stored size of one entry.
  static long bytes(String path) {
    return ENTRY_BYTES + SafeText.bytes(path);
  }

  /// Body to store when the changeset is closed.
  public SetBody body() {
    return new SetBody(entries, List.of());
  }
}
