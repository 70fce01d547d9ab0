package dev.handoff.context.workspace;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// The newest commits of a repository that a directory lies in.
///
/// @param head the commit that was checked out; empty if there was none
/// @param commits with all files below the directory that they changed, the newest first
/// @param whole whether reading them did not fail; if it did, it is tried again
/// @param notes what could not be read
record CommitLog(String head, List<Commit> commits, boolean whole, List<String> notes) {

  static final CommitLog NONE = new CommitLog("", List.of(), false, List.of());

  CommitLog {
    commits = List.copyOf(commits);
    notes = List.copyOf(notes);
  }

  /// Those that changed files that are still there.
  List<Commit> of(SortedSet<String> paths, int limit) {
    return commits.stream()
        .map(commit -> commit(commit, paths))
        .filter(commit -> !commit.files().isEmpty())
        .limit(Math.max(0, limit))
        .toList();
  }

  private static Commit commit(Commit whole, SortedSet<String> paths) {
    var files = new TreeSet<>(whole.files());
    files.retainAll(paths);
    return new Commit(whole.id(), whole.at(), whole.author(), whole.message(), files);
  }
}
