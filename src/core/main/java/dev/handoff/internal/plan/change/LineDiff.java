package dev.handoff.internal.plan.change;

import java.util.List;

/// Minimal line difference of two contents.
///
/// Lines that only one side has are excluded before the comparison, so a completely rewritten text
/// costs nothing. The rest costs its length times the number of differences, plus memory per line.
/// Beyond the bounds, all lines from the first to the last difference count as replaced.
///
/// @param blocks blocks in order, with a common line between each two
/// @param coarse whether a bound was reached
record LineDiff(List<LineBlock> blocks, boolean coarse) {

  /// Bound of about a tenth of a second.
  static final int MOST_COMPARISONS = 30_000_000;

  /// Most surplus shared lines of one side; the comparison takes at least the square of it.
  static final int MOST_SURPLUS = 8_000;

  /// Most lines of both sides together; their comparison takes about 100 MB besides the contents.
  /// Ten MiB of line feeds on both sides would take a GB.
  static final int MOST_LINES = 2_000_000;

  static LineDiff of(TextLines before, TextLines after) {
    return (long) before.size() + after.size() > MOST_LINES
        ? replaced(before, after)
        : of(before, after, MOST_COMPARISONS, MOST_SURPLUS);
  }

  private static LineDiff replaced(TextLines before, TextLines after) {
    int most = Math.min(before.size(), after.size());
    int head = 0;
    while (head < most && before.isSame(head, after, head)) {
      head++;
    }
    int to = before.size();
    int newTo = after.size();
    while (to > head && newTo > head && before.isSame(to - 1, after, newTo - 1)) {
      to--;
      newTo--;
    }
    return new LineDiff(
        to == head && newTo == head ? List.of() : List.of(new LineBlock(head, to, head, newTo)),
        true);
  }

  static LineDiff of(TextLines before, TextLines after, int mostComparisons, int mostSurplus) {
    var search = new LineSearch(LineIds.of(before, after), mostComparisons, mostSurplus);
    boolean coarse = !search.run();
    return new LineDiff(search.blocks(), coarse);
  }
}
