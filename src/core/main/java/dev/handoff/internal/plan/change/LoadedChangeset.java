package dev.handoff.internal.plan.change;

import java.util.List;

/// Changeset with its entries loaded.
///
/// @param changeset id of the changeset
public record LoadedChangeset(
    String changeset, String label, ChangesetAuthor by, List<ChangeEntry> entries) {

  public LoadedChangeset {
    entries = List.copyOf(entries);
  }
}
