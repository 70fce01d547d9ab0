package dev.handoff.context.breaker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The permits of a breaker: which number is next, and which are out. Numbers rise, and most
/// permits come back soon, so those that are out lie close together: a bit each, in blocks of 64.
///
/// @param blocks those of which a permit is out, by number
record Permits(long next, int out, List<Block> blocks) {

  private static final int SHIFT = 6;
  private static final long INSIDE = (1 << SHIFT) - 1;

  /// @param number that of its first permit, shifted
  /// @param open a bit for each permit that is out
  /// @param given when the last of them was given
  record Block(long number, long open, Instant given) {}

  Permits {
    blocks = List.copyOf(blocks);
  }

  /// None is out.
  static Permits from(long next) {
    return new Permits(next, 0, List.of());
  }

  /// The next one is given.
  Permits give(Instant now) {
    var changed = new ArrayList<Block>(blocks.size() + 1);
    changed.addAll(blocks);
    boolean goesOn = !blocks.isEmpty() && blocks.getLast().number() == next >> SHIFT;
    long open = goesOn ? changed.removeLast().open() : 0;
    changed.add(new Block(next >> SHIFT, open | bit(next), now));
    return new Permits(next + 1, out + 1, changed);
  }

  boolean isOut(long permit) {
    int at = indexOf(permit);
    return at >= 0 && (blocks.get(at).open() & bit(permit)) != 0;
  }

  /// One that is out has come back.
  Permits takeBack(long permit) {
    int at = indexOf(permit);
    var block = blocks.get(at);
    var left = new Block(block.number(), block.open() & ~bit(permit), block.given());
    var changed = new ArrayList<>(blocks);
    if (left.open() == 0) {
      changed.remove(at);
    } else {
      changed.set(at, left);
    }
    return new Permits(next, out - 1, changed);
  }

  /// Without those that have been out for too long.
  Permits forgetOlderThan(Duration age, Instant now) {
    var limit = now.minus(age);
    if (blocks.isEmpty() || !blocks.getFirst().given().isBefore(limit)) {
      return this;
    }
    var kept = blocks.stream().filter(block -> !block.given().isBefore(limit)).toList();
    return new Permits(
        next, kept.stream().mapToInt(block -> Long.bitCount(block.open())).sum(), kept);
  }

  private int indexOf(long permit) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int compared = Long.compare(blocks.get(middle).number(), permit >> SHIFT);
      if (compared == 0) {
        return middle;
      }
      low = compared < 0 ? middle + 1 : low;
      high = compared < 0 ? high : middle - 1;
    }
    return -1;
  }

  private static long bit(long permit) {
    return 1L << (permit & INSIDE);
  }
}
