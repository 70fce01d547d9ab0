package dev.handoff;

import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.List;

/// What became of a decision about a conflict.
public sealed interface ResolveAnswer {

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
  record Unavailable(String reason, Duration retryAfter) implements ResolveAnswer {}
}
