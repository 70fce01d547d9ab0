package dev.handoff.plan.change;

import java.util.List;

/// What differs, without the lines themselves.
///
/// @param files in the order in which they were given
public record DiffReport(List<FileDiff> files, Counts counts) {

  public DiffReport {
    files = List.copyOf(files);
  }

  static DiffReport of(List<FileDiff> files) {
    return new DiffReport(files, Counts.of(files));
  }
}
