package dev.handoff.internal.plan.apply;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Locked apply; [#close] releases the lock.
///
/// @param tree closed with this
record LockedApply(DirectoryTree tree, FileOperations.Dir staging, Closeable lock)
    implements Closeable {

  /// @param tree closed if this fails
  /// @param name current name of the staging directory
  /// @throws IOException also if another process or thread holds the lock
  static LockedApply in(DirectoryTree tree, String name) throws IOException {
    FileOperations.Dir staging = null;
    Closeable lock = null;
    boolean done = false;
    try {
      staging = tree.root().open(name);
      lock = staging.lock(StagingNames.LOCK);
      // The former lock holder may have finished the apply meanwhile.
      if (lock == null || tree.root().look(name) == null) {
        throw new IOException("somebody else is at work in \"%s\"".formatted(name));
      }
      done = true;
      return new LockedApply(tree, staging, lock);
    } finally {
      if (!done) {
        close(tree, staging, lock);
      }
    }
  }

  private static void close(
      DirectoryTree tree, FileOperations.@Nullable Dir staging, @Nullable Closeable lock)
      throws IOException {
    try (tree;
        staging;
        lock) {
      // try-with-resources closes in reverse order.
    }
  }

  StagedMoves places(DirectoryMaker maker) {
    return new StagedMoves(tree, staging, maker);
  }

  @Override
  public void close() throws IOException {
    close(tree, staging, lock);
  }
}
