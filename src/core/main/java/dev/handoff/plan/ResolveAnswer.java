package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.json.NamedAnswer;
import java.time.Duration;
import java.util.List;

/// Answer to a decision about a conflict.
@JsonSubTypes({
  @JsonSubTypes.Type(value = ResolveAnswer.Resolved.class, name = "resolved"),
  @JsonSubTypes.Type(value = ResolveAnswer.NoConflict.class, name = "no-conflict"),
  @JsonSubTypes.Type(value = ResolveAnswer.NotPossible.class, name = "not-possible"),
  @JsonSubTypes.Type(value = ResolveAnswer.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = ResolveAnswer.Unavailable.class, name = "unavailable")
})
public sealed interface ResolveAnswer extends NamedAnswer {

  /// The decision is durable, and holds for exactly this conflict.
  ///
  /// @param left paths of files that are still in conflict
  record Resolved(String path, List<String> left) implements ResolveAnswer {}

  /// This file has no conflict.
  ///
  /// @param others paths of the files in conflict
  record NoConflict(String path, List<String> others) implements ResolveAnswer {}

  /// The content is too large, or the plan cannot accept a decision now.
  record NotPossible(String reason) implements ResolveAnswer {}

  record NotFound(PlanId plan) implements ResolveAnswer {}

  /// The engine cannot answer now. Whether the decision was recorded is unknown; deciding again is
  /// harmless.
  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements ResolveAnswer {}
}
