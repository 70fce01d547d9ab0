package dev.handoff.internal.plan.change;

import com.github.difflib.algorithm.Change;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Search for differing lines.
///
/// Differing lines are marked on both sides; the unmarked lines are pairs.
final class LineSearch {

  private final int[] before;
  private final int[] after;
  private final int ids;
  private final boolean[] removed;
  private final boolean[] added;
  private final int mostSurplus;
  private int comparisonsLeft;

  LineSearch(LineIds ids, int mostComparisons, int mostSurplus) {
    this.before = ids.before();
    this.after = ids.after();
    this.ids = ids.size();
    this.removed = new boolean[before.length];
    this.added = new boolean[after.length];
    this.comparisonsLeft = mostComparisons;
    this.mostSurplus = mostSurplus;
  }

  /// Runs the search and returns whether it finished. If not, all lines that may differ are marked.
  boolean run() {
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
    new RunAlignment(before, removed, added).settle();
    new RunAlignment(after, added, removed).settle();
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

  /// Positions of lines shared with the other side; all other lines are marked.
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

  List<LineBlock> blocks() {
    var blocks = new ArrayList<LineBlock>();
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
        blocks.add(new LineBlock(from, line, newFrom, newLine));
      }
      line = Math.min(line + 1, removed.length);
      newLine = Math.min(newLine + 1, added.length);
    }
    return List.copyOf(blocks);
  }

  private static final class TooLong extends RuntimeException {
    TooLong() {
      super(null, null, false, false);
    }
  }
}
