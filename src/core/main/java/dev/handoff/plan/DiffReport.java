package dev.handoff.plan;

import java.util.List;

/// Report of a diff without its lines.
///
/// @param files files in the given order
public record DiffReport(List<FileDiff> files, DiffCounts counts) {

  public DiffReport {
    files = List.copyOf(files);
  }
}
