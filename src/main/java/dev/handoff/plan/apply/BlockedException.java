package dev.handoff.plan.apply;

import java.io.IOException;

/// What should be a directory is none.
final class BlockedException extends IOException {

  private final String directory;
  private final Found found;

  /// @param directory from the root
  BlockedException(String directory, Found found) {
    super("\"" + directory + "\": " + found.words());
    this.directory = directory;
    this.found = found;
  }

  String directory() {
    return directory;
  }

  Found found() {
    return found;
  }

  /// What that means for a file below it.
  Found forFile() {
    return switch (found) {
      case MISSING, OTHER_CASE, UNREADABLE, PARENT_LINK, PARENT_FILE -> found;
      case LINK -> Found.PARENT_LINK;
      case FILE, SPECIAL, DIRECTORY, ALREADY -> Found.PARENT_FILE;
    };
  }
}
