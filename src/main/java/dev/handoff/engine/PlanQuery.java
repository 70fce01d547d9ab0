package dev.handoff.engine;

import dev.handoff.ledger.WireMessage;
import dev.handoff.plan.PlanState;
import org.jspecify.annotations.Nullable;

/// Which plans to list. Those that are a step of another one are shown there.
///
/// @param before only ids lower than this one; null = from the newest
public record PlanQuery(@Nullable String before, int limit) implements WireMessage {

  boolean matches(PlanState plan) {
    return plan.spec().origin() == null
        && (before == null || plan.id().value().compareTo(before) < 0);
  }
}
