package dev.handoff.plan.apply;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/// The directories below a root, each opened anew from there for each use, so that what has become
/// a link meanwhile is noticed, and no number of directories is too many to have open.
///
/// @param root closed with this
record Tree(Disk.Dir root) implements Closeable {

  /// Something done in a directory.
  @FunctionalInterface
  interface Use<T> {
    T with(Disk.Dir directory) throws IOException;
  }

  /// @throws BlockedException if one of the directories is missing, a link, or something else
  <T> T in(List<String> directories, Use<T> use) throws IOException {
    var at = root;
    try {
      for (int depth = 0; depth < directories.size(); depth++) {
        var next = open(at, directories.get(depth), directories.subList(0, depth + 1));
        close(at);
        at = next;
      }
      return use.with(at);
    } finally {
      close(at);
    }
  }

  private void close(Disk.Dir directory) {
    if (directory != root) {
      directory.close();
    }
  }

  private static Disk.Dir open(Disk.Dir at, String name, List<String> path) throws IOException {
    var seen = at.look(name);
    if (seen == null || !seen.isDirectory()) {
      throw new BlockedException(
          String.join("/", path), seen == null ? Found.MISSING : seen.kind());
    }
    return at.open(name);
  }

  @Override
  public void close() {
    root.close();
  }
}
