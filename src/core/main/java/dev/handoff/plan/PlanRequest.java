package dev.handoff.plan;

import dev.handoff.JobRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A request for a plan, with jobs and child plans as steps. Immutable; each method returns a new
/// request.
///
/// ```java
/// PlanRequest.of("site")
///     .step("home", JobRequest.of("page", "home"))
///     .step("about", JobRequest.of("page", "about"))
///     .step("index", JobRequest.of("index"), PlanRequest.after("home", "about"));
/// ```
///
/// By default five steps run at a time, a failed step does not stop independent steps, and the plan
/// has no deadline.
public final class PlanRequest {

  /// Number of steps that run at a time, if the request does not say.
  public static final int DEFAULT_PARALLEL = 5;

  /// Names of the steps that must succeed before another step may start.
  public record After(List<String> steps) {

    static final After NOTHING = new After(List.of());

    public After {
      Objects.requireNonNull(steps, "steps");
      steps = List.copyOf(steps);
    }
  }

  /// A step with its name and dependencies.
  public sealed interface Step {
    String name();

    After after();
  }

  /// A job with its name and dependencies.
  public record JobStep(String name, JobRequest job, After after) implements Step {}

  /// A child plan with its name and dependencies.
  public record PlanStep(String name, PlanRequest plan, After after) implements Step {}

  private final String name;
  private final int maxParallel;
  private final boolean failFast;
  private final @Nullable Duration deadline;
  private final List<Step> steps;

  private PlanRequest(
      String name,
      int maxParallel,
      boolean failFast,
      @Nullable Duration deadline,
      List<Step> steps) {
    this.name = Objects.requireNonNull(name, "name");
    this.maxParallel = maxParallel;
    this.failFast = failFast;
    this.deadline = deadline;
    this.steps = steps;
  }

  /// Empty plan request.
  public static PlanRequest of(String name) {
    return new PlanRequest(name, DEFAULT_PARALLEL, false, null, List.of());
  }

  /// Dependencies: steps of the same plan that must succeed first.
  public static After after(String... steps) {
    Objects.requireNonNull(steps, "steps");
    return new After(List.of(steps));
  }

  /// Adds a job. The job's delay counts from the submission of the plan; its key is unique within
  /// the plan.
  public PlanRequest step(String name, JobRequest job) {
    return step(name, job, After.NOTHING);
  }

  /// Adds a job that starts after other steps have succeeded.
  public PlanRequest step(String name, JobRequest job, After after) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(after, "after");
    return plus(new JobStep(name, job, after));
  }

  /// Adds a child plan as one step. The changes of its steps are stored in the topmost plan.
  public PlanRequest plan(String name, PlanRequest plan) {
    return plan(name, plan, After.NOTHING);
  }

  /// Adds a child plan as one step that starts after other steps have succeeded.
  public PlanRequest plan(String name, PlanRequest plan, After after) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(after, "after");
    return plus(new PlanStep(name, plan, after));
  }

  /// Sets the maximum number of the plan's own steps that run at a time, 1 to 50. A child plan
  /// counts as one step.
  public PlanRequest maxParallel(int steps) {
    return new PlanRequest(name, steps, failFast, deadline, this.steps);
  }

  /// Sets whether the first step that finally fails stops all other steps.
  public PlanRequest failFast(boolean is) {
    return new PlanRequest(name, maxParallel, is, deadline, steps);
  }

  /// Sets the time limit of the plan, counted from the moment when the plan may start. At the
  /// deadline its steps are stopped, and the plan has failed.
  public PlanRequest deadline(Duration time) {
    Objects.requireNonNull(time, "time");
    return new PlanRequest(name, maxParallel, failFast, time, steps);
  }

  public String name() {
    return name;
  }

  public List<Step> steps() {
    return steps;
  }

  /// Copy of this request with other steps.
  public PlanRequest with(List<Step> others) {
    Objects.requireNonNull(others, "others");
    return new PlanRequest(name, maxParallel, failFast, deadline, List.copyOf(others));
  }

  /// Maximum number of the plan's own steps that run at a time.
  public int maxParallel() {
    return maxParallel;
  }

  /// Whether the first step that finally fails stops all other steps.
  public boolean failFast() {
    return failFast;
  }

  /// Time limit of the plan; empty without one.
  public Optional<Duration> deadline() {
    return Optional.ofNullable(deadline);
  }

  private PlanRequest plus(Step step) {
    var more = new ArrayList<>(steps);
    more.add(step);
    return new PlanRequest(name, maxParallel, failFast, deadline, List.copyOf(more));
  }
}
