package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// One page of plans, newest first.
///
/// @param next cursor of the next page; empty for the last page
public record PlanPage(List<Overview> plans, Optional<String> next) {

  public PlanPage {
    plans = List.copyOf(plans);
  }

  /// Summary of a plan for a line in a list.
  ///
  /// @param steps number of steps; a child plan counts as one
  /// @param done number of ended steps
  /// @param changes number of changes in all committed changesets
  /// @param finishedAt end of the plan; empty before
  public record Overview(
      PlanId id,
      String name,
      PlanStatus status,
      int steps,
      int done,
      int changes,
      @JsonFormat(shape = Shape.STRING) Instant createdAt,
      @JsonFormat(shape = Shape.STRING) Optional<Instant> finishedAt) {}
}
