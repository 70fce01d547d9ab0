package dev.handoff.internal.plan.change;

/// Replacement of a range of lines by another range; either may be empty. Line numbers start at 0,
/// ends are exclusive.
record LineBlock(int from, int to, int newFrom, int newTo) {

  int removed() {
    return to - from;
  }

  int added() {
    return newTo - newFrom;
  }
}
