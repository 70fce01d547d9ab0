package dev.handoff.internal.plan.apply;

import java.io.IOException;

/// Non-directory in place of a parent directory.
final class BlockedException extends IOException {

  private final String directory;
  private final Obstacle found;

  /// @param directory path relative to the root
  BlockedException(String directory, Obstacle found) {
    super("\"" + directory + "\": " + found.words());
    this.directory = directory;
    this.found = found;
  }

  String directory() {
    return directory;
  }

  Obstacle found() {
    return found;
  }

  /// Obstacle that a file below this directory meets.
  Obstacle forFile() {
    return switch (found) {
      case MISSING, OTHER_CASE, UNREADABLE, PARENT_LINK, PARENT_FILE -> found;
      case LINK -> Obstacle.PARENT_LINK;
      case FILE, SPECIAL, DIRECTORY, ALREADY -> Obstacle.PARENT_FILE;
    };
  }
}
