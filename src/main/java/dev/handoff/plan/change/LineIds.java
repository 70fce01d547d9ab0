package dev.handoff.plan.change;

import java.util.Arrays;

/// Numbers for the lines of two contents: two lines have the same number if and only if they are
/// the same.
///
/// @param size how many numbers there are
record LineIds(int[] before, int[] after, int size) {

  static LineIds of(Lines before, Lines after) {
    return new Numbering(before, after).number();
  }

  /// A hash table of the first line with each number, without an object per line.
  private static final class Numbering {
    private final Lines before;
    private final Lines after;
    private final int[] ids;
    private final int[] table;

    Numbering(Lines before, Lines after) {
      this.before = before;
      this.after = after;
      this.ids = new int[before.size() + after.size()];
      this.table = new int[Math.max(2, Integer.highestOneBit(Math.max(1, ids.length)) << 2)];
      Arrays.fill(table, -1);
    }

    LineIds number() {
      int size = 0;
      for (int line = 0; line < ids.length; line++) {
        int first = firstLike(line);
        ids[line] = first == line ? size++ : ids[first];
      }
      return new LineIds(
          Arrays.copyOfRange(ids, 0, before.size()),
          Arrays.copyOfRange(ids, before.size(), ids.length),
          size);
    }

    private int firstLike(int line) {
      int mask = table.length - 1;
      int place = lines(line).hash(at(line)) & mask;
      while (table[place] >= 0 && !isSame(table[place], line)) {
        place = (place + 1) & mask;
      }
      if (table[place] < 0) {
        table[place] = line;
      }
      return table[place];
    }

    private boolean isSame(int first, int line) {
      return lines(first).isSame(at(first), lines(line), at(line));
    }

    private Lines lines(int line) {
      return line < before.size() ? before : after;
    }

    private int at(int line) {
      return line < before.size() ? line : line - before.size();
    }
  }
}
