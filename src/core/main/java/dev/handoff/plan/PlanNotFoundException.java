package dev.handoff.plan;

/// Thrown for an unknown plan id: the plan never existed, or history no longer has it.
public final class PlanNotFoundException extends RuntimeException {

  public PlanNotFoundException(PlanId plan) {
    super("plan %s does not exist, or is no longer kept".formatted(plan));
  }
}
