package dev.handoff.plan.change;

/// Lines of one content that stand in the place of lines of another; one of both may be none.
/// Numbered from 0, the ends excluded.
record Block(int from, int to, int newFrom, int newTo) {

  int removed() {
    return to - from;
  }

  int added() {
    return newTo - newFrom;
  }
}
