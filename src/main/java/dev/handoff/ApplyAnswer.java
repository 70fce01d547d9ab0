package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.job.NamedAnswer;
import dev.handoff.plan.ApplyOutcome;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What became of the apply of a plan, or would become of one. All of it is written, or nothing.
@JsonSubTypes({
  @JsonSubTypes.Type(value = ApplyAnswer.Applied.class, name = "applied"),
  @JsonSubTypes.Type(value = ApplyAnswer.Possible.class, name = "possible"),
  @JsonSubTypes.Type(value = ApplyAnswer.Conflicted.class, name = "conflicted"),
  @JsonSubTypes.Type(value = ApplyAnswer.AlreadyApplied.class, name = "already-applied"),
  @JsonSubTypes.Type(value = ApplyAnswer.NothingToApply.class, name = "nothing-to-apply"),
  @JsonSubTypes.Type(value = ApplyAnswer.Undone.class, name = "undone"),
  @JsonSubTypes.Type(value = ApplyAnswer.Busy.class, name = "busy"),
  @JsonSubTypes.Type(value = ApplyAnswer.NotPossible.class, name = "not-possible"),
  @JsonSubTypes.Type(value = ApplyAnswer.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = ApplyAnswer.Unavailable.class, name = "unavailable")
})
public sealed interface ApplyAnswer extends NamedAnswer {

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
  record AlreadyApplied(String target, Optional<AppliedInfo> apply) implements ApplyAnswer {}

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
  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements ApplyAnswer {}
}
