package dev.handoff;

import dev.handoff.engine.Gateway;
import dev.handoff.plan.ForPlan;
import dev.handoff.plan.Plan;
import dev.handoff.plan.PlanCommand;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanReply;
import dev.handoff.plan.PlanState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/// Questions to plans.
record PlanCalls(Handoff.Inside inside, Handoff handoff) {

  /// Tells a plan what to do.
  CompletionStage<PlanReply> tell(PlanId plan, PlanCommand command) {
    return ask(plan, replyTo -> new Plan.Do(command, replyTo), Calls.PATIENCE);
  }

  /// The plan as it is now; empty if there is none.
  CompletionStage<Optional<PlanState>> state(PlanId plan) {
    return ask(plan, Plan.Get::new, Calls.PATIENCE)
        .thenApply(
            reply ->
                switch (reply) {
                  case PlanReply.Current(var state) -> Optional.of(state);
                  case PlanReply.NotFound none -> Optional.empty();
                  case PlanReply other -> throw new UnavailableException(other);
                });
  }

  CompletionStage<PlanReply> ask(
      PlanId plan, Function<ActorRef<PlanReply>, Plan.Command> message, Duration patience) {
    return inside
        .calls()
        .ask(
            inside.doors().gateway(),
            replyTo -> new Gateway.RoutePlan(new ForPlan(plan, message.apply(replyTo))),
            patience);
  }

  Duration retryAfter() {
    return inside.settings().ledger().retryAfter();
  }
}
