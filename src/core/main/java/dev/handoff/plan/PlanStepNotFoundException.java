package dev.handoff.plan;

/// Thrown for a step name that the plan does not have.
public final class PlanStepNotFoundException extends RuntimeException {

  public PlanStepNotFoundException(PlanId plan, String step, String why) {
    super("plan %s has no step \"%s\": %s".formatted(plan, step, why));
  }
}
