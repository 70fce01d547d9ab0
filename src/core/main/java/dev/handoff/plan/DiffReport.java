package dev.handoff.plan;

import java.util.List;

/// Report of a diff without its lines.
///
/// @param files files in the given order
public record DiffReport(List<FileDiff> files, Counts counts) {

  public DiffReport {
    files = List.copyOf(files);
  }

  /// Size of a difference.
  ///
  /// @param created number of files
  /// @param modified number of files
  /// @param deleted number of files
  /// @param added number of lines
  /// @param removed number of lines
  public record Counts(int created, int modified, int deleted, long added, long removed) {

    public static Counts of(List<FileDiff> files) {
      return new Counts(
          count(files, FileDiff.Kind.CREATED),
          count(files, FileDiff.Kind.MODIFIED),
          count(files, FileDiff.Kind.DELETED),
          files.stream().mapToLong(FileDiff::added).sum(),
          files.stream().mapToLong(FileDiff::removed).sum());
    }

    /// Number of files that differ.
    public int files() {
      return created + modified + deleted;
    }

    private static int count(List<FileDiff> files, FileDiff.Kind kind) {
      return (int) files.stream().filter(file -> file.kind() == kind).count();
    }
  }
}
