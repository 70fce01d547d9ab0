package dev.handoff;

import dev.handoff.plan.PlanDraft;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What is asked of Handoff: a plan, whose steps are jobs and plans. Immutable; each method gives a
/// new request.
///
/// ```java
/// PlanRequest.of("site")
///     .step("home", JobRequest.of("page", "home"))
///     .step("about", JobRequest.of("page", "about"))
///     .step("index", JobRequest.of("index"), PlanRequest.after("home", "about"));
/// ```
///
/// Left alone, five of its steps run at a time, all that can run does although another one failed,
/// and it takes as long as it takes.
public final class PlanRequest {

  /// The steps that have to succeed before another one may start.
  public record After(List<String> steps) {

    static final After NOTHING = new After(List.of());

    public After {
      Objects.requireNonNull(steps, "steps");
      steps = List.copyOf(steps);
    }
  }

  /// A job or a plan, and its place.
  sealed interface Step {
    String name();

    After after();
  }

  record JobStep(String name, JobRequest job, After after) implements Step {}

  record PlanStep(String name, PlanRequest plan, After after) implements Step {}

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

  /// A plan without steps.
  public static PlanRequest of(String name) {
    return new PlanRequest(name, PlanDraft.DEFAULT_PARALLEL, false, null, List.of());
  }

  /// The steps of the same plan that have to succeed before.
  public static After after(String... steps) {
    Objects.requireNonNull(steps, "steps");
    return new After(List.of(steps));
  }

  /// Adds a job. Its delay counts from the submission of the plan, and its key counts within the
  /// plan.
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

  /// Adds a plan as one step. What its steps change is part of the plan at the top.
  public PlanRequest plan(String name, PlanRequest plan) {
    return plan(name, plan, After.NOTHING);
  }

  /// Adds a plan as one step that starts after other steps have succeeded.
  public PlanRequest plan(String name, PlanRequest plan, After after) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(after, "after");
    return plus(new PlanStep(name, plan, after));
  }

  /// How many of its own steps run at a time, 1 to 50; the others wait. A child plan counts as one.
  public PlanRequest maxParallel(int steps) {
    return new PlanRequest(name, steps, failFast, deadline, this.steps);
  }

  /// Whether the first step that fails for good stops all the others.
  public PlanRequest failFast(boolean is) {
    return new PlanRequest(name, maxParallel, is, deadline, steps);
  }

  /// How long the plan may take, from when it may start. Then its steps are stopped, and it has
  /// failed.
  public PlanRequest deadline(Duration time) {
    Objects.requireNonNull(time, "time");
    return new PlanRequest(name, maxParallel, failFast, time, steps);
  }

  public String name() {
    return name;
  }

  List<Step> steps() {
    return steps;
  }

  /// With these steps and no others.
  PlanRequest with(List<Step> others) {
    return new PlanRequest(name, maxParallel, failFast, deadline, List.copyOf(others));
  }

  /// This plan with these steps, which are its own as they are to be kept.
  PlanDraft draft(List<PlanDraft.Step> drafted) {
    return new PlanDraft(name, maxParallel, failFast, deadline, drafted);
  }

  private PlanRequest plus(Step step) {
    var more = new ArrayList<>(steps);
    more.add(step);
    return new PlanRequest(name, maxParallel, failFast, deadline, List.copyOf(more));
  }
}
