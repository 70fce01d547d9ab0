package dev.handoff.context;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;

/// Snapshot of a workspace. Thread-safe until closed; methods read the index or files and may
/// block.
///
/// File paths are relative to the root, with slashes.
public interface WorkspaceView extends AutoCloseable {

  /// A search result.
  ///
  /// @param score higher is better; comparable within one list only
  record Hit(String path, double score) {}

  /// Root as real path.
  Path root();

  SortedSet<String> paths();

  /// Whether a git repository surrounds the root.
  boolean hasGit();

  /// Omissions from the index with their reasons.
  List<String> notes();

  /// Keyword search (BM25 over names, definitions and text), best first; ties by path.
  List<Hit> search(String text, int limit);

  /// Vector search for the files with the nearest passages, best first; ties by path.
  List<Hit> nearest(String text, int limit);

  /// Indexed file; empty if not indexed.
  Optional<IndexedFile> file(String path);

  /// Files referenced by a file: imports, links, uniquely defined names.
  SortedSet<String> references(String path);

  /// Files that refer to this file.
  SortedSet<String> referrers(String path);

  /// Terms of a text: compound names split, lower case, stemmed, without stop words.
  Set<String> terms(String text);

  /// Newest commits with files of the workspace, newest first; empty without git.
  List<GitCommit> commits(int limit);

  @Override
  void close();

  /// Structure of a file: definitions, references, and its text per depth.
  public interface FileOutline {

    /// Names that identify the file in other files, such as its types; qualified and simple.
    Set<String> defines();

    /// References of the file: qualified or simple type names, and link paths as written.
    Set<String> mentions();

    /// Text of the file at a depth.
    ///
    /// @param terms query terms in the form of `analysis`; used only for [SearchDepth#MATCHED]
    /// @param analysis converts a text to its terms
    String at(SearchDepth depth, Set<String> terms, Function<String, Set<String>> analysis);
  }

  /// A workspace file in its indexed version.
  public record IndexedFile(String path, Instant modified, String text, FileOutline outline) {}

  /// A git commit.
  ///
  /// @param files changed files of the workspace
  public record GitCommit(
      String id, Instant at, String author, String message, SortedSet<String> files) {}
}
