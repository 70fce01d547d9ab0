package dev.handoff.context.workspace;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.lucene.index.DirectoryReader;

/// A directory as its index had it at one moment. Its reader is closed by whoever has given it out,
/// when nobody reads it any more.
///
/// @param files those with text, by path
/// @param paths of the same
record Snapshot(
    DirectoryReader reader,
    SortedMap<String, Entry> files,
    SortedSet<String> paths,
    Links links,
    List<String> notes,
    Optional<GitPlace> git) {

  Snapshot {
    notes = List.copyOf(notes);
  }

  static Snapshot of(
      DirectoryReader reader,
      SortedMap<String, Entry> files,
      Links links,
      List<String> notes,
      Optional<GitPlace> git) {
    var paths = Collections.unmodifiableSortedSet(new TreeSet<>(files.keySet()));
    return new Snapshot(reader, Collections.unmodifiableSortedMap(files), paths, links, notes, git);
  }

  /// The same files, with other notes.
  Snapshot with(List<String> others, Optional<GitPlace> gitNow) {
    return new Snapshot(reader, files, paths, links, others, gitNow);
  }
}
