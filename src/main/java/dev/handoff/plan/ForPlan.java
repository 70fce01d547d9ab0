package dev.handoff.plan;

import dev.handoff.ledger.WireMessage;

/// A message for a plan, wherever it is: live in some partition, or in history. Routed by the
/// partition in the id.
public record ForPlan(PlanId plan, Plan.Command command) implements WireMessage {}
