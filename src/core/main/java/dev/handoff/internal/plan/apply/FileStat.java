package dev.handoff.internal.plan.apply;

import java.nio.file.attribute.PosixFileAttributes;

/// Attributes of a directory entry; links are not followed.
record FileStat(PosixFileAttributes attributes) {

  Obstacle kind() {
    if (attributes.isSymbolicLink()) {
      return Obstacle.LINK;
    }
    if (attributes.isDirectory()) {
      return Obstacle.DIRECTORY;
    }
    return attributes.isRegularFile() ? Obstacle.FILE : Obstacle.SPECIAL;
  }

  boolean isDirectory() {
    return attributes.isDirectory();
  }

  boolean isFile() {
    return attributes.isRegularFile();
  }

  /// Identity of the file: equal for all its hard links, unique while the file exists.
  Object key() {
    return attributes.fileKey();
  }

  long size() {
    return attributes.size();
  }
}
