package dev.handoff.context;

import java.util.List;

/// Makes one of fragments that say the same.
@FunctionalInterface
public non-sealed interface Deduplicator extends Part {
  Sifted<Found> deduplicate(List<Found> found);
}
