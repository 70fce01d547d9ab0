package dev.handoff.internal.plan.change;

import java.util.Arrays;

/// Ids of the lines of two contents: equal lines have equal ids.
///
/// @param size number of distinct ids
record LineIds(int[] before, int[] after, int size) {

  static LineIds of(TextLines before, TextLines after) {
    return new Numbering(before, after).number();
  }

  /// Hash table with the first line of each id; no object per line.
  private static final class Numbering {
    private final TextLines before;
    private final TextLines after;
    private final int[] ids;
    private final int[] table;

    Numbering(TextLines before, TextLines after) {
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

    private TextLines lines(int line) {
      return line < before.size() ? before : after;
    }

    private int at(int line) {
      return line < before.size() ? line : line - before.size();
    }
  }
}
