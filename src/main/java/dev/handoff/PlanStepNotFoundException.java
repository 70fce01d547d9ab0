package dev.handoff;

import dev.handoff.plan.PlanId;

/// The plan has no such step.
public final class PlanStepNotFoundException extends RuntimeException {

  PlanStepNotFoundException(PlanId plan, String step, String why) {
    super("plan %s has no step \"%s\": %s".formatted(plan, step, why));
  }
}
