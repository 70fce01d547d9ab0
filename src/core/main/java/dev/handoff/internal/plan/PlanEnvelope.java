package dev.handoff.internal.plan;

import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.plan.PlanId;

/// Envelope for messages to a plan, live or in history. The plan's id determines the partition.
public record PlanEnvelope(PlanId plan, Plan.Command command) implements WireMessage {}
