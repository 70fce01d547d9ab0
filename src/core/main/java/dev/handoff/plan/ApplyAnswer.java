package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.json.NamedAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Result of an apply or of its dry run. An apply writes all changes or none.
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

  /// All changes are in the directory, on disk.
  ///
  /// @param target real path of the directory
  /// @param files outcome of each file
  record Applied(String target, List<File> files) implements ApplyAnswer {}

  /// Answer to a dry run: all changes can be written. Nothing was written.
  record Possible(String target, List<File> files) implements ApplyAnswer {}

  /// Nothing was written: steps contradict each other, or a file differs from the plan's base.
  record Conflicted(String target, List<Problem> problems) implements ApplyAnswer {}

  /// The directory already holds all changes.
  ///
  /// @param apply apply that wrote them; empty = the content matches without an apply
  record AlreadyApplied(String target, Optional<PlanInfo.Applied> apply) implements ApplyAnswer {}

  /// No committed changeset contains a change.
  record NothingToApply() implements ApplyAnswer {}

  /// The apply failed. Nothing was written, or all writes were undone.
  ///
  /// @param isAsBefore whether the directory is known to be unchanged; false after writes by others
  ///   or if it cannot be read
  record Undone(String target, String reason, boolean isAsBefore) implements ApplyAnswer {}

  /// Another apply of the plan is under way.
  record Busy(String target) implements ApplyAnswer {}

  /// The plan is a child plan, the path is not a directory of this machine, or the store cannot
  /// hold the apply.
  record NotPossible(String reason) implements ApplyAnswer {}

  record NotFound(PlanId plan) implements ApplyAnswer {}

  /// The result is unknown: repeat the apply, which is harmless.
  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements ApplyAnswer {}

  /// @param what kind of change: `created`, `modified` or `deleted`
  record File(String path, String what, long bytes) {}

  /// One conflict.
  ///
  /// @param found description in words
  /// @param ours SHA-256 of the earlier step's content, if two steps conflict; null = no such file,
  ///   or no conflict between steps
  /// @param steps the conflicting steps; empty = the file in the directory differs from the plan's
  ///   base
  record Problem(
      String path,
      String found,
      @Nullable String ancestor,
      @Nullable String ours,
      @Nullable String theirs,
      List<String> steps) {
    public Problem {
      steps = List.copyOf(steps);
    }
  }
}
