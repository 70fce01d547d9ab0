package dev.handoff.internal.plan.apply;

import dev.handoff.plan.ContentRef;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Renames between places in the target directory and slots in the staging directory.
record StagedMoves(DirectoryTree tree, FileOperations.Dir staging, DirectoryMaker maker) {

  private static final Set<String> NOTHING = Set.of();

  /// Action on a directory entry. Returns the obstacle; null if the action succeeded.
  @FunctionalInterface
  private interface Act {
    @Nullable Obstacle with(FileOperations.Dir directory, String name) throws IOException;
  }

  boolean holds(String slot) throws IOException {
    return staging.look(slot) != null;
  }

  /// Content of the regular file in a slot; null for any other entry. Only regular files are
  /// opened: reading a pipe could block for ever.
  @Nullable ContentRef content(String slot) throws IOException {
    var stat = staging.look(slot);
    return stat != null && stat.isFile() ? Fingerprint.of(staging, slot) : null;
  }

  /// Moves a slot's entry to a free place.
  ///
  /// @return obstacle; null if the entry was moved
  @Nullable Obstacle fromSlot(String slot, String path) throws IOException {
    return at(
        path,
        (directory, name) -> {
          var stat = directory.look(name);
          return stat == null ? moved(slot, directory, name) : stat.kind();
        });
  }

  /// Moves an original back, and makes missing parent directories again: other programs may have
  /// removed them while they were empty.
  @Nullable Obstacle backFromSlot(String slot, String path) throws IOException {
    var found = fromSlot(slot, path);
    if (found != Obstacle.MISSING) {
      return found;
    }
    for (var directory : FilePath.of(path).above()) {
      var place = FilePath.of(directory);
      tree.in(place.directories(), above -> again(above, place.name()));
    }
    return fromSlot(slot, path);
  }

  private boolean again(FileOperations.Dir above, String name) throws IOException {
    boolean missing = above.look(name) == null;
    if (missing) {
      maker.directory(tree.root(), above, name);
      above.sync();
    }
    return missing;
  }

  /// Makes a directory in a slot.
  void makeDirectory(String slot) throws IOException {
    maker.directory(tree.root(), staging, slot);
  }

  /// Renames an entry out of its slot. A directory created and filled by another program at the
  /// same moment is an obstacle too.
  private @Nullable Obstacle moved(String slot, FileOperations.Dir directory, String name)
      throws IOException {
    try {
      staging.move(slot, directory, name);
      return null;
    } catch (IOException failed) {
      var stat = holds(slot) ? directory.look(name) : null;
      if (stat == null) {
        throw failed;
      }
      return stat.kind();
    }
  }

  /// Moves a file of any content into a slot.
  ///
  /// @return obstacle; null if the file was moved
  @Nullable Obstacle fileToSlot(String path, String slot) throws IOException {
    return at(
        path,
        (directory, name) -> {
          var stat = directory.look(name);
          if (stat == null || !stat.isFile()) {
            return stat == null ? Obstacle.MISSING : stat.kind();
          }
          directory.move(name, staging, slot);
          return null;
        });
  }

  /// Moves an empty directory into a slot.
  ///
  /// @return obstacle; null if the directory was moved
  @Nullable Obstacle directoryToSlot(String path, String slot) throws IOException {
    return at(
        path,
        (directory, name) -> {
          var stat = directory.look(name);
          if (stat == null || !isEmpty(directory, name, stat)) {
            return stat == null ? Obstacle.MISSING : stat.kind();
          }
          directory.move(name, staging, slot);
          if (isEmpty(staging, slot, stat)) {
            return null;
          }
          // Another program added an entry during the move.
          staging.move(slot, directory, name);
          return Obstacle.DIRECTORY;
        });
  }

  private @Nullable Obstacle at(String path, Act act) throws IOException {
    var place = FilePath.of(path);
    try {
      return tree.in(place.directories(), directory -> act.with(directory, place.name()));
    } catch (BlockedException blocked) {
      return blocked.forFile();
    }
  }

  private static boolean isEmpty(FileOperations.Dir parent, String name, FileStat stat)
      throws IOException {
    if (!stat.isDirectory()) {
      return false;
    }
    try (var directory = parent.open(name)) {
      return directory.hasOnly(NOTHING);
    }
  }
}
