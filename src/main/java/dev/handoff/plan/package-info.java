/// Plans: graphs of steps, and the ledger of what their steps changed. [dev.handoff.plan.PlanState]
/// is all there is to know of a plan.
@NullMarked
package dev.handoff.plan;

import org.jspecify.annotations.NullMarked;
