package dev.handoff.internal.plan;

import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.plan.PlanId;
import java.util.Objects;

/// Envelope for messages to a plan, live or in history. The plan's id determines the partition.
public record PlanEnvelope(PlanId plan, Plan.Command command) implements WireMessage {

  /// An address is checked at the sender: the failure of a gateway is the end of the engine.
  public PlanEnvelope {
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(command, "command");
  }
}
