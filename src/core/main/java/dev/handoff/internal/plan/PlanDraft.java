package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.plan.PlanRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Submitted plan, whose steps have no ids yet.
///
/// @param maxParallel most steps of this plan that run at once; a child plan counts as one
/// @param failFast whether the first step that fails for good stops the others
/// @param deadline longest duration of the plan from its start; null = unlimited
public record PlanDraft(
    String name,
    int maxParallel,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean failFast,
    @Nullable Duration deadline,
    List<Step> steps) {

  public static final int DEFAULT_PARALLEL = PlanRequest.DEFAULT_PARALLEL;

  public PlanDraft {
    steps = steps == null ? List.of() : List.copyOf(steps);
  }

  /// One step: a job or a child plan.
  ///
  /// @param after names of steps of the same plan that must succeed first
  /// @param job null for a child plan
  /// @param plan null for a job
  public record Step(
      String name,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> after,
      @Nullable JobSpec job,
      @Nullable PlanDraft plan) {

    public Step {
      after = after == null ? List.of() : List.copyOf(after);
    }

    public static Step job(String name, List<String> after, JobSpec job) {
      return new Step(name, after, job, null);
    }

    public static Step plan(String name, List<String> after, PlanDraft plan) {
      return new Step(name, after, null, plan);
    }
  }
}
