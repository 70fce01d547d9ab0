package dev.handoff.internal.plan.capture;

import dev.handoff.cancel.CancellationToken;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Contents of a directory at one scan.
///
/// @param files files by name relative to the root
/// @param others names of entries that are neither files nor directories
/// @param gits names of git's own files
record DirectorySnapshot(
    SortedMap<String, FileStamp> files, SortedSet<String> others, SortedSet<String> gits) {

  /// Scans a directory. A file deleted before its read is skipped.
  static DirectorySnapshot of(Path root, TreeWalk.Rules rules, CancellationToken stop)
      throws IOException {
    var seen = new Seen(new TreeMap<>(), new TreeSet<>(), new TreeSet<>());
    TreeWalk.through(root, rules, stop, seen);
    return new DirectorySnapshot(seen.files(), seen.others(), seen.gits());
  }

  private record Seen(
      SortedMap<String, FileStamp> files, SortedSet<String> others, SortedSet<String> gits)
      implements TreeWalk.Visitor {
    @Override
    public void file(String name, Path file, BasicFileAttributes seen) throws IOException {
      try {
        files.put(name, new FileStamp(seen.size(), seen.lastModifiedTime(), FileHash.of(file)));
      } catch (NoSuchFileException gone) {
        // A process started by the tool may still be running.
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
