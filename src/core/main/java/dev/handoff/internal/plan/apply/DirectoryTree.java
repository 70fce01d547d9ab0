package dev.handoff.internal.plan.apply;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/// Directories below a root. Each use opens its directory anew from the root, component by
/// component: so a replacement by a link is noticed, and the number of open handles stays small.
///
/// @param root closed with this
record DirectoryTree(FileOperations.Dir root) implements Closeable {

  /// Action in a directory.
  @FunctionalInterface
  interface Use<T> {
    T with(FileOperations.Dir directory) throws IOException;
  }

  /// @throws BlockedException if a component is missing, a link, or no directory
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

  private void close(FileOperations.Dir directory) {
    if (directory != root) {
      directory.close();
    }
  }

  private static FileOperations.Dir open(FileOperations.Dir at, String name, List<String> path)
      throws IOException {
    var stat = at.look(name);
    if (stat == null || !stat.isDirectory()) {
      throw new BlockedException(
          String.join("/", path), stat == null ? Obstacle.MISSING : stat.kind());
    }
    return at.open(name);
  }

  @Override
  public void close() {
    root.close();
  }
}
