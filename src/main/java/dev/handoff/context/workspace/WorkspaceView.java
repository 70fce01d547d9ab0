package dev.handoff.context.workspace;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/// A workspace as it was at one moment. Safe to use from any thread, until it is closed; its
/// methods read the index or files, and may wait for the disk.
///
/// Files are named by their path from the root, with slashes.
public interface WorkspaceView extends AutoCloseable {

  /// A file that was found.
  ///
  /// @param score higher is better; comparable within one list only
  record Hit(String path, double score) {}

  /// The root, without links.
  Path root();

  SortedSet<String> paths();

  /// Whether there is a git repository around it.
  boolean hasGit();

  /// What was left out of the index, and why.
  List<String> notes();

  /// The files whose words are most like those of a text (BM25 over their names, what they define,
  /// and their text), the best first; equal ones by path.
  List<Hit> search(String text, int limit);

  /// The files with a passage whose vector is nearest to that of a text, the best first; equal ones
  /// by path.
  List<Hit> nearest(String text, int limit);

  /// A file as it was indexed; empty if it is not in the index.
  Optional<IndexedFile> file(String path);

  /// The files that a file refers to: imports, links, names that only one other file defines.
  SortedSet<String> references(String path);

  /// The files that refer to a file.
  SortedSet<String> referrers(String path);

  /// The words of a text as they are compared: parts of names taken apart, in lower case, without
  /// endings and without words that say nothing.
  Set<String> terms(String text);

  /// The newest commits that touched files of the workspace, the newest first; none without git.
  List<Commit> commits(int limit);

  @Override
  void close();
}
