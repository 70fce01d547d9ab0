package dev.handoff.internal.breaker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Outstanding permits of a breaker and the next permit number. Numbers increase and most permits
/// return soon, so outstanding numbers are close together: one bit each, in blocks of 64.
///
/// @param blocks with at least one outstanding permit, by number
record CallPermits(long next, int out, List<Block> blocks) {

  private static final int SHIFT = 6;
  private static final long INSIDE = (1 << SHIFT) - 1;

  /// @param number first permit number of the block, shifted right by 6
  /// @param open one bit per outstanding permit
  /// @param given grant time of the latest permit in the block
  record Block(long number, long open, Instant given) {}

  CallPermits {
    blocks = List.copyOf(blocks);
  }

  /// Empty set of permits that starts at this number.
  static CallPermits from(long next) {
    return new CallPermits(next, 0, List.of());
  }

  /// Grants the next permit.
  CallPermits give(Instant now) {
    var changed = new ArrayList<Block>(blocks.size() + 1);
    changed.addAll(blocks);
    boolean goesOn = !blocks.isEmpty() && blocks.getLast().number() == next >> SHIFT;
    long open = goesOn ? changed.removeLast().open() : 0;
    changed.add(new Block(next >> SHIFT, open | bit(next), now));
    return new CallPermits(next + 1, out + 1, changed);
  }

  boolean isOut(long permit) {
    int at = indexOf(permit);
    return at >= 0 && (blocks.get(at).open() & bit(permit)) != 0;
  }

  /// Removes an outstanding permit.
  CallPermits takeBack(long permit) {
    int at = indexOf(permit);
    var block = blocks.get(at);
    var left = new Block(block.number(), block.open() & ~bit(permit), block.given());
    var changed = new ArrayList<>(blocks);
    if (left.open() == 0) {
      changed.remove(at);
    } else {
      changed.set(at, left);
    }
    return new CallPermits(next, out - 1, changed);
  }

  /// Drops the blocks whose latest permit is too old.
  CallPermits forgetOlderThan(Duration age, Instant now) {
    var limit = now.minus(age);
    if (blocks.isEmpty() || !blocks.getFirst().given().isBefore(limit)) {
      return this;
    }
    var kept = blocks.stream().filter(block -> !block.given().isBefore(limit)).toList();
    return new CallPermits(
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
