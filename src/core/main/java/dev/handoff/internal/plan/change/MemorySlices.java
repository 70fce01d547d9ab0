package dev.handoff.internal.plan.change;

import dev.handoff.plan.ContentRef;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Division of lists into slices whose contents fit into memory together.
final class MemorySlices {

  static final long MOST_BYTES = 16L << 20;

  /// Most items per slice: even tiny items cost the store a lookup each.
  private static final int MOST_THINGS = 2_000;

  private MemorySlices() {}

  /// Slices of at most 16 MiB; a larger item is a slice of its own.
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
