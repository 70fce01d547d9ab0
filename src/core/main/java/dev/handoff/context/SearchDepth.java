package dev.handoff.context;

/// Level of detail of a resource, from its name to its full text.
public enum SearchDepth {
  /// Resource name only.
  NAME(0, "name"),
  /// Name and first descriptive sentence.
  SUMMARY(1, "summary"),
  /// Headings or signatures.
  OUTLINE(2, "outline"),
  /// Headings or signatures, with the body text of the matching sections.
  MATCHED(4, "outline and what matched"),
  /// Full text.
  FULL(9, "all of it");

  private final int number;
  private final String words;

  SearchDepth(int number, String words) {
    this.number = number;
    this.words = words;
  }

  /// Number in JSON answers; deeper levels are higher.
  public int number() {
    return number;
  }

  /// Label for users.
  public String words() {
    return words;
  }
}
