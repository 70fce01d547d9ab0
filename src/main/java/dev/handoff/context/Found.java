package dev.handoff.context;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// A fragment, and who found it.
///
/// @param by how relevant it is to each strategy that found it
public record Found(Fragment fragment, SortedMap<String, Double> by) {

  public Found {
    by = Collections.unmodifiableSortedMap(new TreeMap<>(by));
  }

  public static Found of(Fragment fragment) {
    return new Found(fragment, new TreeMap<>(Map.of(fragment.strategy(), fragment.relevance())));
  }

  /// This one, found by whoever found another one, too.
  public Found and(Found other) {
    var all = new TreeMap<>(by);
    other.by.forEach((strategy, relevance) -> all.merge(strategy, relevance, Math::max));
    return new Found(fragment, all);
  }
}
