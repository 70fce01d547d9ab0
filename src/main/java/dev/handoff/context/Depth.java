package dev.handoff.context;

/// How much of a resource is shown, from its name to all of it.
public enum Depth {
  /// Its name.
  NAME(0, "name"),
  /// Its name and the first thing that it says of itself.
  SUMMARY(1, "summary"),
  /// Its headings or signatures.
  OUTLINE(2, "outline"),
  /// Its headings or signatures, and the text below those that matched.
  MATCHED(4, "outline and what matched"),
  /// All of it.
  FULL(9, "all of it");

  private final int number;
  private final String words;

  Depth(int number, String words) {
    this.number = number;
    this.words = words;
  }

  /// As it is written in answers: deeper is higher.
  public int number() {
    return number;
  }

  /// As it is told to people.
  public String words() {
    return words;
  }
}
