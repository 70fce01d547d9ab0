package dev.handoff.plan.change;

import java.util.List;

/// Which lines differ between two contents, as few as there can be.
///
/// Lines that only one of both has cannot be the same as any other, and are left out before the
/// rest is compared: a text that was written anew costs nothing. What is left costs its length
/// times the number of its differences, and each line costs some memory, so there are bounds:
/// beyond them all lines between the first and the last difference count as replaced.
///
/// @param blocks in order; there is a line that is the same between each two of them
/// @param coarse whether a bound was reached
record LineDiff(List<Block> blocks, boolean coarse) {

  /// About a tenth of a second.
  static final int MOST_COMPARISONS = 30_000_000;

  /// How many lines more one side may have of those that both have: the comparison takes at least
  /// the square of that.
  static final int MOST_SURPLUS = 8_000;

  /// Of both sides together: comparing them takes about 100 MB more than the contents. Ten MiB of
  /// line feeds on both sides would take a GB.
  static final int MOST_LINES = 2_000_000;

  static LineDiff of(Lines before, Lines after) {
    return (long) before.size() + after.size() > MOST_LINES
        ? replaced(before, after)
        : of(before, after, MOST_COMPARISONS, MOST_SURPLUS);
  }

  private static LineDiff replaced(Lines before, Lines after) {
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
        to == head && newTo == head ? List.of() : List.of(new Block(head, to, head, newTo)), true);
  }

  static LineDiff of(Lines before, Lines after, int mostComparisons, int mostSurplus) {
    var search = new LineSearch(LineIds.of(before, after), mostComparisons, mostSurplus);
    boolean coarse = !search.run();
    return new LineDiff(search.blocks(), coarse);
  }
}
