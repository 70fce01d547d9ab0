package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.job.JobId;
import dev.handoff.ledger.EntityId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What was asked for: everything about a plan that never changes after its submission.
///
/// @param origin null for a plan of its own
public record PlanSpec(
    String name,
    int maxParallel,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean failFast,
    @Nullable Duration deadline,
    List<Step> steps,
    @Nullable Origin origin) {

  public PlanSpec {
    steps = List.copyOf(steps);
  }

  /// @param job null for a child plan
  /// @param plan null for a job
  /// @param type of the job
  public record Step(
      String name,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> after,
      @Nullable JobId job,
      @Nullable PlanId plan,
      @Nullable String type) {

    public Step {
      after = after == null ? List.of() : List.copyOf(after);
    }

    /// Of the job, or of the child plan.
    EntityId id() {
      return job == null ? plan : job;
    }
  }

  /// Which step of which plan a child plan is.
  ///
  /// @param root the plan at the top, which keeps the changes of all plans below it
  /// @param path of the step from there, with `/` between the names
  public record Origin(PlanId parent, String step, PlanId root, String path) {}

  @JsonIgnore
  public boolean isRoot() {
    return origin == null;
  }

  /// The path of one of its steps, from the root.
  public String path(String step) {
    return origin == null ? step : origin.path() + "/" + step;
  }
}
