package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.job.NamedAnswer;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.List;

/// What became of a decision about a conflict.
@JsonSubTypes({
  @JsonSubTypes.Type(value = ResolveAnswer.Resolved.class, name = "resolved"),
  @JsonSubTypes.Type(value = ResolveAnswer.NoConflict.class, name = "no-conflict"),
  @JsonSubTypes.Type(value = ResolveAnswer.NotPossible.class, name = "not-possible"),
  @JsonSubTypes.Type(value = ResolveAnswer.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = ResolveAnswer.Unavailable.class, name = "unavailable")
})
public sealed interface ResolveAnswer extends NamedAnswer {

  /// It is durable, and holds for exactly this conflict.
  ///
  /// @param left the paths of files that are still in conflict
  record Resolved(String path, List<String> left) implements ResolveAnswer {}

  /// No changes to this file are in conflict.
  ///
  /// @param others the paths of those that are
  record NoConflict(String path, List<String> others) implements ResolveAnswer {}

  /// The content is too large, or the plan cannot take it now.
  record NotPossible(String reason) implements ResolveAnswer {}

  record NotFound(PlanId plan) implements ResolveAnswer {}

  /// Not now. Whether it was taken is not known; deciding again is harmless.
  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements ResolveAnswer {}
}
