package dev.handoff.internal.facade.plan;

import dev.handoff.UnavailableException;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.facade.EngineCalls;
import dev.handoff.internal.facade.JobCalls;
import dev.handoff.internal.facade.RunningEngine;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanCommand;
import dev.handoff.internal.plan.PlanEnvelope;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/// Requests to plans.
record PlanCalls(JobCalls jobs) {

  RunningEngine engine() {
    return jobs.engine();
  }

  /// Sends a command to a plan.
  CompletionStage<PlanReply> tell(PlanId plan, PlanCommand command) {
    return ask(plan, replyTo -> new Plan.Do(command, replyTo), EngineCalls.PATIENCE);
  }

  /// Current state of a plan; empty if the plan does not exist.
  CompletionStage<Optional<PlanState>> state(PlanId plan) {
    return ask(plan, Plan.Get::new, EngineCalls.PATIENCE)
        .thenApply(
            reply ->
                switch (reply) {
                  case PlanReply.Current(var state) -> Optional.of(state);
                  case PlanReply.NotFound none -> Optional.empty();
                  case PlanReply other ->
                      throw new UnavailableException(UnavailableReasons.of(other));
                });
  }

  CompletionStage<PlanReply> ask(
      PlanId plan, Function<ActorRef<PlanReply>, Plan.Command> message, Duration patience) {
    return engine()
        .calls()
        .ask(
            engine().doors().gateway(),
            replyTo -> new Gateway.RoutePlan(new PlanEnvelope(plan, message.apply(replyTo))),
            patience);
  }

  Duration retryAfter() {
    return engine().settings().ledger().retryAfter();
  }
}
