package dev.handoff.plan.capture;

import dev.handoff.cancel.CancellationToken;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What a directory holds at one time.
///
/// @param files by name from the root
/// @param others the names of what is neither a file nor a directory
/// @param gits the names of what git keeps of its own
record TreeState(SortedMap<String, Stamp> files, SortedSet<String> others, SortedSet<String> gits) {

  /// Looks at everything. A file that is gone before it can be read is not there.
  static TreeState of(Path root, TreeWalk.Rules rules, CancellationToken stop) throws IOException {
    var seen = new Seen(new TreeMap<>(), new TreeSet<>(), new TreeSet<>());
    TreeWalk.through(root, rules, stop, seen);
    return new TreeState(seen.files(), seen.others(), seen.gits());
  }

  private record Seen(
      SortedMap<String, Stamp> files, SortedSet<String> others, SortedSet<String> gits)
      implements TreeWalk.Visitor {
    @Override
    public void file(String name, Path file, BasicFileAttributes seen) throws IOException {
      try {
        files.put(name, new Stamp(seen.size(), seen.lastModifiedTime(), FileHash.of(file)));
      } catch (NoSuchFileException gone) {
        // Something that the tool has started may still be at work.
      }
    }

    @Override
    public void other(String name, Path entry, BasicFileAttributes seen) {
      others.add(name);
    }

    @Override
    public void gits(String name) {
      gits.add(name);
    }
  }
}
