/// Plans of jobs, and the file changes of their steps. [dev.handoff.plan.PlanRequest] describes a
/// plan, [dev.handoff.plan.PlanCommands] submits it, and [dev.handoff.plan.PlanHandle] reads,
/// cancels, retries and applies it. Handlers of steps record changes with
/// [dev.handoff.plan.PlanChanges], or by working in a [dev.handoff.plan.WorkingCopy].
@NullMarked
package dev.handoff.plan;

import org.jspecify.annotations.NullMarked;
