package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.job.JobSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A plan as somebody wants it: its steps, before any of them has an id.
///
/// @param maxParallel how many of its own steps run at a time; a child plan counts as one
/// @param failFast whether the first step that fails for good stops the others
/// @param deadline how long the plan may take, from when it may start; null = as long as it takes
public record PlanDraft(
    String name,
    int maxParallel,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean failFast,
    @Nullable Duration deadline,
    List<Step> steps) {

  public static final int DEFAULT_PARALLEL = 5;

  public PlanDraft {
    steps = steps == null ? List.of() : List.copyOf(steps);
  }

  /// One step: a job, or a plan of its own.
  ///
  /// @param after the names of steps of the same plan that have to succeed before it may start
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
