package dev.handoff.internal.context.assembly;

import dev.handoff.context.Fragment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Result of a strategy, attributed to it and limited in size.
///
/// @param remark number of dropped fragments and the limits; empty if none was dropped
record StrategyResult(List<Fragment> fragments, String remark) {

  static final int MOST_FRAGMENTS = 1_000;
  static final long MOST_LETTERS = 16L << 20;

  /// @throws IllegalStateException if the list is null or contains null
  static StrategyResult of(String strategy, @Nullable List<Fragment> given) {
    if (given == null) {
      throw new IllegalStateException(
          "it returned null; an empty list means that nothing was found");
    }
    var fragments = new ArrayList<Fragment>();
    long letters = 0;
    for (var fragment : given) {
      if (fragment == null) {
        throw new IllegalStateException("it returned a list with null in it");
      }
      letters += fragment.texts().values().stream().mapToLong(String::length).sum();
      if (fragments.size() == MOST_FRAGMENTS || letters > MOST_LETTERS) {
        return new StrategyResult(List.copyOf(fragments), cut(given.size() - fragments.size()));
      }
      fragments.add(fragment.foundBy(strategy).clean());
    }
    return new StrategyResult(List.copyOf(fragments), "");
  }

  private static String cut(int left) {
    return "%d of its fragments were left out: %d, and %d MiB of text, are the most"
        .formatted(left, MOST_FRAGMENTS, MOST_LETTERS >> 20);
  }
}
