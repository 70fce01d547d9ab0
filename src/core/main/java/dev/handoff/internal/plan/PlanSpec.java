package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.EntityId;
import dev.handoff.JobId;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Immutable specification of a plan, fixed at its submission.
///
/// @param origin null for a root plan
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
  /// @param type job type; null for a child plan
  public record Step(
      String name,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> after,
      @Nullable JobId job,
      @Nullable PlanId plan,
      @Nullable String type) {

    public Step {
      after = after == null ? List.of() : List.copyOf(after);
    }

    /// Id of the job or child plan.
    EntityId id() {
      return job == null ? plan : job;
    }
  }

  /// Position of a child plan in its parent.
  ///
  /// @param root root plan, which keeps the changes of all plans below it
  /// @param path path of the step from the root, separated by `/`
  public record Origin(PlanId parent, String step, PlanId root, String path) {}

  @JsonIgnore
  public boolean isRoot() {
    return origin == null;
  }

  /// Path of a step from the root plan.
  public String path(String step) {
    return origin == null ? step : origin.path() + "/" + step;
  }
}
