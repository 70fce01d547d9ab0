package dev.handoff.plan.apply;

import dev.handoff.plan.change.ContentRef;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The two ends of every step: places in the directory, and slots in the staging directory.
record Places(Tree tree, Disk.Dir staging, Making making) {

  private static final Set<String> NOTHING = Set.of();

  /// Something done with an entry of a directory. Answers what was in the way; null if it is done.
  @FunctionalInterface
  private interface Act {
    @Nullable Found with(Disk.Dir directory, String name) throws IOException;
  }

  boolean holds(String slot) throws IOException {
    return staging.look(slot) != null;
  }

  /// What a file in a slot holds; null if it is none. Whatever was taken, nothing is opened but a
  /// file: a pipe would never end.
  @Nullable ContentRef content(String slot) throws IOException {
    var seen = staging.look(slot);
    return seen != null && seen.isFile() ? Fingerprint.of(staging, slot) : null;
  }

  /// Puts something into a place where there is nothing.
  ///
  /// @return what was in the way; null if it was moved
  @Nullable Found fromSlot(String slot, String path) throws IOException {
    return at(
        path,
        (directory, name) -> {
          var seen = directory.look(name);
          return seen == null ? moved(slot, directory, name) : seen.kind();
        });
  }

  /// The same, and directories above the place that somebody else has removed are made again: while
  /// what was in them is in slots, they may have been empty.
  @Nullable Found backFromSlot(String slot, String path) throws IOException {
    var found = fromSlot(slot, path);
    if (found != Found.MISSING) {
      return found;
    }
    for (var directory : FilePath.of(path).above()) {
      var place = FilePath.of(directory);
      tree.in(place.directories(), above -> again(above, place.name()));
    }
    return fromSlot(slot, path);
  }

  private boolean again(Disk.Dir above, String name) throws IOException {
    boolean missing = above.look(name) == null;
    if (missing) {
      making.directory(tree.root(), above, name);
      above.sync();
    }
    return missing;
  }

  /// Makes a directory in a slot.
  void makeDirectory(String slot) throws IOException {
    making.directory(tree.root(), staging, slot);
  }

  /// A directory that somebody has made and filled in the very moment is in the way, too.
  private @Nullable Found moved(String slot, Disk.Dir directory, String name) throws IOException {
    try {
      staging.move(slot, directory, name);
      return null;
    } catch (IOException failed) {
      var seen = holds(slot) ? directory.look(name) : null;
      if (seen == null) {
        throw failed;
      }
      return seen.kind();
    }
  }

  /// Takes a file, whatever it holds.
  ///
  /// @return what is there instead; null if it was moved
  @Nullable Found fileToSlot(String path, String slot) throws IOException {
    return at(
        path,
        (directory, name) -> {
          var seen = directory.look(name);
          if (seen == null || !seen.isFile()) {
            return seen == null ? Found.MISSING : seen.kind();
          }
          directory.move(name, staging, slot);
          return null;
        });
  }

  /// Takes a directory if it is empty.
  ///
  /// @return what is there instead; null if it was moved
  @Nullable Found directoryToSlot(String path, String slot) throws IOException {
    return at(
        path,
        (directory, name) -> {
          var seen = directory.look(name);
          if (seen == null || !isEmpty(directory, name, seen)) {
            return seen == null ? Found.MISSING : seen.kind();
          }
          directory.move(name, staging, slot);
          if (isEmpty(staging, slot, seen)) {
            return null;
          }
          // Somebody put something into it in the very moment.
          staging.move(slot, directory, name);
          return Found.DIRECTORY;
        });
  }

  private @Nullable Found at(String path, Act act) throws IOException {
    var place = FilePath.of(path);
    try {
      return tree.in(place.directories(), directory -> act.with(directory, place.name()));
    } catch (BlockedException blocked) {
      return blocked.forFile();
    }
  }

  private static boolean isEmpty(Disk.Dir parent, String name, Seen seen) throws IOException {
    if (!seen.isDirectory()) {
      return false;
    }
    try (var directory = parent.open(name)) {
      return directory.hasOnly(NOTHING);
    }
  }
}
