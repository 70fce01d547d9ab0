package dev.handoff.internal.plan.apply;

/// Obstacle to an edit.
public enum Obstacle {
  MISSING("there is no such file"),
  /// Unexpected content, or an unexpected file.
  FILE("it holds something else"),
  /// File already has the edit's new content.
  ALREADY("it is already as it is to be"),
  LINK("it is a link, and links are not followed"),
  DIRECTORY("it is a directory"),
  SPECIAL("it is neither a file nor a directory"),
  UNREADABLE("it cannot be read"),
  PARENT_LINK("a directory above it is a link, and links are not followed"),
  PARENT_FILE("what should be a directory above it is a file"),
  /// Case-insensitive file system with an entry of another spelling.
  OTHER_CASE("the same name is there in other letters, which are the same to this file system");

  private final String words;

  Obstacle(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
