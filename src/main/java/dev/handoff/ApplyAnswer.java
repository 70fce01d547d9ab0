package dev.handoff;

import dev.handoff.plan.ApplyOutcome;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What became of the apply of a plan, or would become of one. All of it is written, or nothing.
public sealed interface ApplyAnswer {

  /// Everything is in the directory, on disk.
  ///
  /// @param target its real path
  /// @param files what became of each file
  record Applied(String target, List<ApplyOutcome.File> files) implements ApplyAnswer {}

  /// The answer to a check: everything would be written. Nothing was.
  record Possible(String target, List<ApplyOutcome.File> files) implements ApplyAnswer {}

  /// Nothing was written: steps disagree, or a file is not what the plan has changed.
  record Conflicted(String target, List<ApplyOutcome.Problem> problems) implements ApplyAnswer {}

  /// The directory holds everything already.
  ///
  /// @param apply the apply that has written it; empty = it is so without one
  record AlreadyApplied(String target, Optional<dev.handoff.plan.Applied> apply)
      implements ApplyAnswer {}

  /// No committed changeset has a change in it.
  record NothingToApply() implements ApplyAnswer {}

  /// It did not work. Nothing of it was written, or all of it was taken back.
  ///
  /// @param isAsBefore whether the directory is known to be as it was: somebody else may have
  ///   changed it meanwhile, or it cannot be looked at
  record Undone(String target, String reason, boolean isAsBefore) implements ApplyAnswer {}

  /// Another apply of the plan is under way.
  record Busy(String target) implements ApplyAnswer {}

  /// It is a step of another plan, the path names no directory of this machine, or the store cannot
  /// keep it.
  record NotPossible(String reason) implements ApplyAnswer {}

  record NotFound(PlanId plan) implements ApplyAnswer {}

  /// What becomes of it is not known: ask again, which is harmless.
  record Unavailable(String reason, Duration retryAfter) implements ApplyAnswer {}
}
