package dev.handoff.bench;

final class Size {
  static boolean run(Arguments a) {
    return true;
  }
}
