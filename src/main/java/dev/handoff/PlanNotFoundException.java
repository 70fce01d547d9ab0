package dev.handoff;

import dev.handoff.plan.PlanId;

/// There is no such plan, or history has forgotten it.
public final class PlanNotFoundException extends RuntimeException {

  PlanNotFoundException(PlanId plan) {
    super("plan %s does not exist, or is no longer kept".formatted(plan));
  }
}
