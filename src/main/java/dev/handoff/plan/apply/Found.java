package dev.handoff.plan.apply;

/// What was found in the way of an edit.
public enum Found {
  MISSING("there is no such file"),
  /// Somebody else's content, or a file where there should be none.
  FILE("it holds something else"),
  /// It is already as the edit would make it.
  ALREADY("it is already as it is to be"),
  LINK("it is a link, and links are not followed"),
  DIRECTORY("it is a directory"),
  SPECIAL("it is neither a file nor a directory"),
  UNREADABLE("it cannot be read"),
  PARENT_LINK("a directory above it is a link, and links are not followed"),
  PARENT_FILE("what should be a directory above it is a file"),
  /// The file system takes no notice of case, and what is there is spelled otherwise.
  OTHER_CASE("the same name is there in other letters, which are the same to this file system");

  private final String words;

  Found(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
