package dev.handoff.plan.apply;

import java.nio.file.attribute.PosixFileAttributes;

/// What is there under a name, a link itself and not what it leads to.
record Seen(PosixFileAttributes attributes) {

  Found kind() {
    if (attributes.isSymbolicLink()) {
      return Found.LINK;
    }
    if (attributes.isDirectory()) {
      return Found.DIRECTORY;
    }
    return attributes.isRegularFile() ? Found.FILE : Found.SPECIAL;
  }

  boolean isDirectory() {
    return attributes.isDirectory();
  }

  boolean isFile() {
    return attributes.isRegularFile();
  }

  /// The same for all names of a file, and for no other file as long as it is there.
  Object key() {
    return attributes.fileKey();
  }

  long size() {
    return attributes.size();
  }
}
