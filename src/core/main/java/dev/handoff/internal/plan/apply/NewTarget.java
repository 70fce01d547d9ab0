package dev.handoff.internal.plan.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// Target directory created by the apply. It gets its final name only with a staging directory that
/// marks it as new, and loses the name before the staging directory is removed. So it never passes
/// for a directory of another program.
///
/// @param path real path of the directory
record NewTarget(FileOperations disk, Path path, StagingNames names) {

  private static final byte[] NOTHING = {};

  private String name() {
    return path.getFileName().toString();
  }

  private Path above() {
    return path.getParent();
  }

  /// Makes the directory beside its place, under a temporary name.
  void claim() throws IOException {
    disk.makeDirectory(above().resolve(names.root()), false);
  }

  /// Adds the staging directory, and renames the root to its final name.
  LockedApply open() throws IOException {
    disk.makeDirectory(above().resolve(names.spare()), true);
    try (var parent = disk.open(above())) {
      var begun = begin(parent);
      boolean done = false;
      try {
        appear(parent, begun);
        done = true;
        return begun;
      } finally {
        if (!done) {
          begun.close();
        }
      }
    }
  }

  private LockedApply begin(FileOperations.Dir parent) throws IOException {
    try (var root = parent.open(names.root())) {
      parent.move(names.spare(), root, names.staging());
    }
    return LockedApply.in(new DirectoryTree(parent.open(names.root())), names.staging());
  }

  private void appear(FileOperations.Dir parent, LockedApply begun) throws IOException {
    begun.staging().write(StagingNames.NEW_ROOT, NOTHING, null);
    begun.staging().sync();
    begun.tree().root().sync();
    if (parent.look(name()) != null) {
      throw new IOException("\"" + path + "\" was made by somebody else meanwhile");
    }
    parent.move(names.root(), parent, name());
    parent.sync();
  }

  /// Returns whether a temporary directory is left beside its place.
  boolean isHidden() throws IOException {
    try (var parent = disk.open(above())) {
      return parent.look(names.root()) != null || parent.look(names.spare()) != null;
    }
  }

  /// Renames the root back to its temporary name, if only the staging directory is left inside.
  boolean hide(FileOperations.Dir root) throws IOException {
    if (!root.hasOnly(Set.of(names.staging(), names.done()))) {
      return false;
    }
    try (var parent = disk.open(above())) {
      parent.move(name(), parent, names.root());
      parent.sync();
      return true;
    }
  }

  /// Removes temporary directories that a dead process left.
  ///
  /// @return notes for the user
  /// @throws IOException if another process works on them
  List<String> clear() throws IOException {
    try (var parent = disk.open(above())) {
      var notes = parent.look(names.root()) == null ? List.<String>of() : emptied(parent);
      remove(parent);
      return notes;
    }
  }

  private List<String> emptied(FileOperations.Dir parent) throws IOException {
    try (var tree = new DirectoryTree(parent.open(names.root()))) {
      for (var staging : List.of(names.staging(), names.done())) {
        var cleanup = new Cleanup(tree.root(), names);
        if (tree.root().look(staging) != null && !cleanup.removedEmpty(staging)) {
          try (var begun = LockedApply.in(tree, staging)) {
            return new Cleanup(begun.tree().root(), names).undone(staging);
          }
        }
      }
      return List.of();
    }
  }

  /// Deletes the empty root.
  void remove() throws IOException {
    try (var parent = disk.open(above())) {
      remove(parent);
    }
  }

  private void remove(FileOperations.Dir parent) throws IOException {
    new Cleanup(parent, names).spare();
    if (parent.look(names.root()) != null) {
      parent.deleteDirectory(names.root());
    }
    parent.sync();
  }
}
