package dev.handoff.context;

/// How much of a resource is shown, from its name to all of it.
public enum Depth {
  /// Its name.
  NAME(0),
  /// Its name and the first thing that it says of itself.
  SUMMARY(1),
  /// Its headings or signatures.
  OUTLINE(2),
  /// Its headings or signatures, and the text below those that matched.
  MATCHED(4),
  /// All of it.
  FULL(9);

  private final int number;

  Depth(int number) {
    this.number = number;
  }

  /// As it is written in answers: deeper is higher.
  public int number() {
    return number;
  }
}
