package dev.handoff.plan.change;

import java.util.List;

/// How much differs.
///
/// @param created files
/// @param modified files
/// @param deleted files
/// @param added lines
/// @param removed lines
public record Counts(int created, int modified, int deleted, long added, long removed) {

  static Counts of(List<FileDiff> files) {
    return new Counts(
        count(files, FileDiff.Kind.CREATED),
        count(files, FileDiff.Kind.MODIFIED),
        count(files, FileDiff.Kind.DELETED),
        files.stream().mapToLong(FileDiff::added).sum(),
        files.stream().mapToLong(FileDiff::removed).sum());
  }

  /// How many files differ.
  public int files() {
    return created + modified + deleted;
  }

  private static int count(List<FileDiff> files, FileDiff.Kind kind) {
    return (int) files.stream().filter(file -> file.kind() == kind).count();
  }
}
