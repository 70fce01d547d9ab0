/// Plans: what a user submits, sees and changes of them. [dev.handoff.plan.PlanId] names a plan;
/// the other types are the parts of its answers.
@NullMarked
package dev.handoff.plan;

import org.jspecify.annotations.NullMarked;
