package dev.handoff.plan.apply;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// An apply that is worked on: nobody else can be at work on it until this is closed.
///
/// @param tree closed with this
record Begun(Tree tree, Disk.Dir staging, Closeable lock) implements Closeable {

  /// @param tree closed if this fails
  /// @param name that the staging directory has at the moment
  /// @throws IOException also if somebody else is at work on it
  static Begun in(Tree tree, String name) throws IOException {
    Disk.Dir staging = null;
    Closeable lock = null;
    boolean done = false;
    try {
      staging = tree.root().open(name);
      lock = staging.lock(Names.LOCK);
      // Whoever had it before may have gone on to the end meanwhile.
      if (lock == null || tree.root().look(name) == null) {
        throw new IOException("somebody else is at work in \"%s\"".formatted(name));
      }
      done = true;
      return new Begun(tree, staging, lock);
    } finally {
      if (!done) {
        close(tree, staging, lock);
      }
    }
  }

  private static void close(Tree tree, Disk.@Nullable Dir staging, @Nullable Closeable lock)
      throws IOException {
    try (tree;
        staging;
        lock) {
      // In reverse.
    }
  }

  Places places(Making making) {
    return new Places(tree, staging, making);
  }

  @Override
  public void close() throws IOException {
    close(tree, staging, lock);
  }
}
