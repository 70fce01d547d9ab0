/// Plans: graphs of steps, and the ledger of their changes. [dev.handoff.internal.plan.PlanState]
/// holds the whole state of a plan.
@NullMarked
package dev.handoff.internal.plan;

import org.jspecify.annotations.NullMarked;
