package dev.handoff.plan;

import dev.handoff.plan.change.Entry;
import dev.handoff.plan.change.Seal;
import dev.handoff.plan.change.SetBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A changeset that a caller has opened: what is recorded in it is durable, and counts when it is
/// closed.
public record OpenSet(String id, String label, String by, Instant at, List<Entry> entries) {

  public OpenSet {
    entries = entries == null ? List.of() : List.copyOf(entries);
  }

  /// The seal that the next entry follows.
  String lastSeal() {
    return entries.isEmpty() ? Seal.first(id) : entries.getLast().seal();
  }

  OpenSet plus(List<Entry> more) {
    var all = new ArrayList<Entry>(entries.size() + more.size());
    all.addAll(entries);
    all.addAll(more);
    return new OpenSet(id, label, by, at, all);
  }

  /// What is stored when it is closed.
  public SetBody body() {
    return new SetBody(entries, List.of());
  }
}
