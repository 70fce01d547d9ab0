package dev.handoff.internal.engine;

import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.internal.plan.PlanState;
import org.jspecify.annotations.Nullable;

/// Filter of a list of plans. Nested plans, which are steps of other plans, are not listed.
///
/// @param before only ids lower than this one; null = from the newest
public record PlanQuery(@Nullable String before, int limit) implements WireMessage {

  boolean matches(PlanState plan) {
    return plan.spec().origin() == null
        && (before == null || plan.id().value().compareTo(before) < 0);
  }
}
