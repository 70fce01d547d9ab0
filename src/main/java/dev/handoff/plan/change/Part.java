package dev.handoff.plan.change;

import java.util.List;

/// A changeset with its entries at hand.
///
/// @param changeset its id
public record Part(String changeset, String label, Maker by, List<Entry> entries) {

  public Part {
    entries = List.copyOf(entries);
  }
}
