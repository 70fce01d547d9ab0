package dev.handoff.plan;

import java.util.List;

/// Difference between the files of a plan before and after some of its changes.
///
/// @param text unified diff for `git apply` and `patch -p1`. Binary contents appear as sizes and
///   hashes, and `git apply` skips them
/// @param report outcome of each file, and counts of files and lines
/// @param conflicts changes that could not be merged; the diff shows those files without the later
///   change
public record PlanDiff(String text, DiffReport report, List<PlanConflict.Entry> conflicts) {

  public PlanDiff {
    conflicts = List.copyOf(conflicts);
  }
}
