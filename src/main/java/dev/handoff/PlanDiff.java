package dev.handoff;

import dev.handoff.plan.change.Conflict;
import dev.handoff.plan.change.DiffReport;
import java.util.List;

/// What files hold since some changes, and held before.
///
/// @param text a unified diff with the contents, which `git apply` and `patch -p1` take; contents
///   that are no text are told by their sizes and hashes, and `git apply` leaves them out
/// @param report what became of each file, and counts of files and lines
/// @param conflicts what changes could not be put together: those files are in the diff as they
///   were before the later change
public record PlanDiff(String text, DiffReport report, List<Conflict> conflicts) {

  public PlanDiff {
    conflicts = List.copyOf(conflicts);
  }
}
