package dev.handoff.internal.context.workspace;

import dev.handoff.internal.git.GitPlace;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.lucene.index.DirectoryReader;

/// State of an index at one moment. The issuer closes its reader after the last use.
///
/// @param files text files by path
/// @param paths keys of `files`
record IndexSnapshot(
    DirectoryReader reader,
    SortedMap<String, IndexEntry> files,
    SortedSet<String> paths,
    FileLinks links,
    List<String> notes,
    Optional<GitPlace> git) {

  IndexSnapshot {
    notes = List.copyOf(notes);
  }

  static IndexSnapshot of(
      DirectoryReader reader,
      SortedMap<String, IndexEntry> files,
      FileLinks links,
      List<String> notes,
      Optional<GitPlace> git) {
    var paths = Collections.unmodifiableSortedSet(new TreeSet<>(files.keySet()));
    return new IndexSnapshot(
        reader, Collections.unmodifiableSortedMap(files), paths, links, notes, git);
  }

  /// Copy with other notes.
  IndexSnapshot with(List<String> others, Optional<GitPlace> gitNow) {
    return new IndexSnapshot(reader, files, paths, links, others, gitNow);
  }
}
