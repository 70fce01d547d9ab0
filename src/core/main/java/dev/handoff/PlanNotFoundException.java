package dev.handoff;

import dev.handoff.plan.PlanId;

/// Thrown for an unknown plan id: the plan never existed, or history no longer has it.
public final class PlanNotFoundException extends RuntimeException {

  PlanNotFoundException(PlanId plan) {
    super("plan %s does not exist, or is no longer kept".formatted(plan));
  }
}
