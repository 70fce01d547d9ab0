package dev.handoff.plan.change;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Lists in pieces whose contents are in memory together.
final class Slices {

  static final long MOST_BYTES = 16L << 20;

  /// For things of almost no size, which are as many questions to a store all the same.
  private static final int MOST_THINGS = 2_000;

  private Slices() {}

  /// The list in pieces of at most 16 MiB, or of one thing that is larger.
  static <T> List<List<T>> of(List<T> things, ToLongFunction<T> bytes) {
    var slices = new ArrayList<List<T>>();
    int from = 0;
    long held = 0;
    for (int i = 0; i < things.size(); i++) {
      long more = bytes.applyAsLong(things.get(i));
      if (i > from && (held + more > MOST_BYTES || i - from == MOST_THINGS)) {
        slices.add(things.subList(from, i));
        from = i;
        held = 0;
      }
      held += more;
    }
    if (from < things.size()) {
      slices.add(things.subList(from, things.size()));
    }
    return slices;
  }

  static long bytes(@Nullable ContentRef content) {
    return content == null ? 0 : content.bytes();
  }
}
