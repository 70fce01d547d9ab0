package dev.handoff.internal.context.workspace;

import dev.handoff.context.WorkspaceView;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Newest commits of the repository around a directory.
///
/// @param head checked-out commit id; empty if none
/// @param commits newest first, with all changed files below the directory
/// @param whole whether the read succeeded; a failed read is repeated
/// @param notes about unreadable parts
record CommitLog(
    String head, List<WorkspaceView.GitCommit> commits, boolean whole, List<String> notes) {

  static final CommitLog NONE = new CommitLog("", List.of(), false, List.of());

  CommitLog {
    commits = List.copyOf(commits);
    notes = List.copyOf(notes);
  }

  /// Commits that changed at least one of these existing files.
  List<WorkspaceView.GitCommit> of(SortedSet<String> paths, int limit) {
    return commits.stream()
        .map(commit -> commit(commit, paths))
        .filter(commit -> !commit.files().isEmpty())
        .limit(Math.max(0, limit))
        .toList();
  }

  private static WorkspaceView.GitCommit commit(
      WorkspaceView.GitCommit whole, SortedSet<String> paths) {
    var files = new TreeSet<>(whole.files());
    files.retainAll(paths);
    return new WorkspaceView.GitCommit(
        whole.id(), whole.at(), whole.author(), whole.message(), files);
  }
}
