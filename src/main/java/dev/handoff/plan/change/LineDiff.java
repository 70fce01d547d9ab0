package dev.handoff.plan.change;

import com.github.difflib.algorithm.Change;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Which lines differ between two contents, as few as there can be.
///
/// Lines that only one of both has cannot be the same as any other, and are left out before the
/// rest is compared: a text that was written anew costs nothing. What is left costs its length
/// times the number of its differences, so there is a bound: beyond it all lines between the first
/// and the last difference count as replaced.
///
/// @param blocks in order; there is a line that is the same between each two of them
/// @param coarse whether the bound was reached
record LineDiff(List<Block> blocks, boolean coarse) {

  /// About a tenth of a second.
  static final int MOST_COMPARISONS = 30_000_000;

  /// How many lines more one side may have of those that both have: the comparison takes at least
  /// the square of that.
  static final int MOST_SURPLUS = 8_000;

  static LineDiff of(Lines before, Lines after) {
    return of(before, after, MOST_COMPARISONS, MOST_SURPLUS);
  }

  static LineDiff of(Lines before, Lines after, int mostComparisons, int mostSurplus) {
    var search = new Search(LineIds.of(before, after), mostComparisons, mostSurplus);
    boolean coarse = !search.isDone();
    return new LineDiff(search.blocks(), coarse);
  }

  /// The differences are marked line by line, on both sides; all lines without a mark are pairs.
  private static final class Search {
    private final int[] before;
    private final int[] after;
    private final int ids;
    private final boolean[] removed;
    private final boolean[] added;
    private final int mostSurplus;
    private int comparisonsLeft;

    Search(LineIds ids, int mostComparisons, int mostSurplus) {
      this.before = ids.before();
      this.after = ids.after();
      this.ids = ids.size();
      this.removed = new boolean[before.length];
      this.added = new boolean[after.length];
      this.comparisonsLeft = mostComparisons;
      this.mostSurplus = mostSurplus;
    }

    /// False if all that may differ is marked, for it would take too long to tell more.
    boolean isDone() {
      int head = head();
      int tail = tail(head);
      int to = before.length - tail;
      int newTo = after.length - tail;
      var places = shared(before, head, to, removed, had(after, head, newTo));
      var newPlaces = shared(after, head, newTo, added, had(before, head, to));
      try {
        mark(places, newPlaces);
      } catch (TooLong stop) {
        Arrays.fill(removed, head, to, true);
        Arrays.fill(added, head, newTo, true);
        return false;
      }
      new Slides(before, removed, added).settle();
      new Slides(after, added, removed).settle();
      return true;
    }

    private int head() {
      int most = Math.min(before.length, after.length);
      int head = 0;
      while (head < most && before[head] == after[head]) {
        head++;
      }
      return head;
    }

    private int tail(int head) {
      int most = Math.min(before.length, after.length) - head;
      int tail = 0;
      while (tail < most && before[before.length - 1 - tail] == after[after.length - 1 - tail]) {
        tail++;
      }
      return tail;
    }

    private boolean[] had(int[] side, int from, int to) {
      var had = new boolean[ids];
      for (int line = from; line < to; line++) {
        had[side[line]] = true;
      }
      return had;
    }

    /// The places of lines that the other side has, too; the others are marked.
    private static int[] shared(int[] side, int from, int to, boolean[] marks, boolean[] otherHas) {
      var places = new int[to - from];
      int size = 0;
      for (int line = from; line < to; line++) {
        if (otherHas[side[line]]) {
          places[size++] = line;
        } else {
          marks[line] = true;
        }
      }
      return Arrays.copyOf(places, size);
    }

    private void mark(int[] places, int[] newPlaces) {
      if (Math.abs(places.length - newPlaces.length) > mostSurplus) {
        throw new TooLong();
      }
      var myers = new MyersDiffWithLinearSpace<Integer>(this::isSame);
      for (var change : myers.computeDiff(at(places, before), at(newPlaces, after), null)) {
        mark(change, places, newPlaces);
      }
    }

    private void mark(Change change, int[] places, int[] newPlaces) {
      for (int i = change.startOriginal; i < change.endOriginal; i++) {
        removed[places[i]] = true;
      }
      for (int i = change.startRevised; i < change.endRevised; i++) {
        added[newPlaces[i]] = true;
      }
    }

    private static List<Integer> at(int[] places, int[] side) {
      return Arrays.stream(places).mapToObj(place -> side[place]).toList();
    }

    private boolean isSame(Integer line, Integer other) {
      if (comparisonsLeft-- == 0) {
        throw new TooLong();
      }
      return line.intValue() == other.intValue();
    }

    List<Block> blocks() {
      var blocks = new ArrayList<Block>();
      int line = 0;
      int newLine = 0;
      while (line < removed.length || newLine < added.length) {
        int from = line;
        int newFrom = newLine;
        while (line < removed.length && removed[line]) {
          line++;
        }
        while (newLine < added.length && added[newLine]) {
          newLine++;
        }
        if (line > from || newLine > newFrom) {
          blocks.add(new Block(from, line, newFrom, newLine));
        }
        line = Math.min(line + 1, removed.length);
        newLine = Math.min(newLine + 1, added.length);
      }
      return List.copyOf(blocks);
    }
  }

  private static final class TooLong extends RuntimeException {
    TooLong() {
      super(null, null, false, false);
    }
  }
}
