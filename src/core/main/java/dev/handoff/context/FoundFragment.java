package dev.handoff.context;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// A fragment and the strategies that found it.
///
/// @param by relevance per strategy
public record FoundFragment(Fragment fragment, SortedMap<String, Double> by) {

  public FoundFragment {
    by = Collections.unmodifiableSortedMap(new TreeMap<>(by));
  }

  public static FoundFragment of(Fragment fragment) {
    return new FoundFragment(
        fragment, new TreeMap<>(Map.of(fragment.strategy(), fragment.relevance())));
  }

  /// This fragment, attributed to the finding strategies of both.
  public FoundFragment and(FoundFragment other) {
    var all = new TreeMap<>(by);
    other.by.forEach((strategy, relevance) -> all.merge(strategy, relevance, Math::max));
    return new FoundFragment(fragment, all);
  }
}
