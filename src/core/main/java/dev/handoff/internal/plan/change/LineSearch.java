package dev.handoff.internal.plan.change;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jgit.diff.MyersDiff;
import org.eclipse.jgit.diff.Sequence;
import org.eclipse.jgit.diff.SequenceComparator;

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
    var old = new SharedLines(before, places);
    var fresh = new SharedLines(after, newPlaces);
    for (var edit : MyersDiff.INSTANCE.diff(new Comparison(), old, fresh)) {
      mark(removed, places, edit.getBeginA(), edit.getEndA());
      mark(added, newPlaces, edit.getBeginB(), edit.getEndB());
    }
  }

  private static void mark(boolean[] marks, int[] places, int from, int to) {
    for (int i = from; i < to; i++) {
      marks[places[i]] = true;
    }
  }

  /// Lines of one side that the other side has, too.
  private static final class SharedLines extends Sequence {
    private final int[] side;
    private final int[] places;

    SharedLines(int[] side, int[] places) {
      this.side = side;
      this.places = places;
    }

    @Override
    public int size() {
      return places.length;
    }

    int id(int line) {
      return side[places[line]];
    }
  }

  /// Comparison of lines by their ids, within the bound.
  private final class Comparison extends SequenceComparator<SharedLines> {
    @Override
    public boolean equals(SharedLines a, int line, SharedLines b, int other) {
      if (comparisonsLeft-- == 0) {
        throw new TooLong();
      }
      return a.id(line) == b.id(other);
    }

    /// The same for all lines: JGit compares only lines of equal hashes, and each comparison
    /// counts.
    @Override
    public int hash(SharedLines lines, int line) {
      return 0;
    }
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
