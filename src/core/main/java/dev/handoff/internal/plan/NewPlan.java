package dev.handoff.internal.plan;

import dev.handoff.internal.actor.FailedActor;
import dev.handoff.internal.actor.MemoryReserve;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.Fact;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.plan.PlanId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/// Actor state of a plan during its submission: one append for the plan, its steps and its child
/// plans. The id is secret until it is durable, so no other message can arrive.
final class NewPlan {

  private final ActorContext<Plan.Command> context;
  private final TimerScheduler<Plan.Command> timers;
  private final PlanEnvironment environment;
  private final PlanId id;
  private final ActorRef<PlanReply> replyTo;

  NewPlan(
      ActorContext<Plan.Command> context,
      TimerScheduler<Plan.Command> timers,
      PlanEnvironment environment,
      Plan.Submitted submitted) {
    this.context = context;
    this.timers = timers;
    this.environment = environment;
    this.id = submitted.id();
    this.replyTo = submitted.replyTo();
  }

  Behavior<Plan.Command> begin(PlanDraft draft) {
    try {
      var birth = PlanBirth.of(id, draft, environment.now(), ThreadLocalRandom.current());
      write(birth.facts(environment.codec()));
      return writing();
    } catch (IllegalArgumentException notEncodable) {
      return refused(new PlanReply.Refused(id, String.valueOf(notEncodable.getMessage())));
    } catch (Throwable failure) {
      return failed(failure, false);
    }
  }

  private void write(List<Fact> facts) {
    ActorRef<Plan.Command> self = context.getSelf();
    environment
        .ledger()
        .tell(
            new Ledger.Append(
                id.value(),
                facts,
                List.of(),
                List.of(),
                reply -> self.tell(new Plan.LedgerAnswered(reply))));
  }

  private Behavior<Plan.Command> writing() {
    return Behaviors.receiveMessage(
        message ->
            message instanceof Plan.LedgerAnswered(var reply)
                ? onLedgerOrFail(reply)
                : Behaviors.unhandled());
  }

  private Behavior<Plan.Command> onLedgerOrFail(Ledger.Reply reply) {
    try {
      return onLedger(reply);
    } catch (Throwable failure) {
      return failed(failure, reply instanceof Ledger.Committed);
    }
  }

  private Behavior<Plan.Command> onLedger(Ledger.Reply reply) {
    return switch (reply) {
      case Ledger.Committed(var state, var others) -> accepted((PlanState) state, others);
      case Ledger.Unavailable(var reason, var retryAfter) ->
          refused(new PlanReply.Unavailable(id, reason, retryAfter));
      case Ledger.Refused(var reason) -> refused(new PlanReply.Refused(id, reason));
    };
  }

  /// Handles a failure. The partition then creates new actors for the plan and its steps from the
  /// ledger.
  ///
  /// @param durable whether the plan was accepted despite the failure
  private Behavior<Plan.Command> failed(Throwable failure, boolean durable) {
    MemoryReserve.giveBackAfter(failure);
    var words =
        new FailedPlan(
            id,
            context.getSelf(),
            environment,
            ignored -> replyTo.tell(durable ? new PlanReply.Accepted(id) : notSubmitted(failure)));
    return FailedActor.because(failure, null, words, context);
  }

  private PlanReply notSubmitted(Throwable failure) {
    var reason = "plan %s could not be submitted: %s".formatted(id, failure);
    return new PlanReply.Unavailable(id, reason, environment.retryAfter());
  }

  private Behavior<Plan.Command> accepted(PlanState state, List<EntityState> others) {
    var jobs = new ArrayList<JobState>();
    var plans = new ArrayList<PlanState>();
    for (var other : others) {
      if (other instanceof JobState job) {
        jobs.add(job);
      } else if (other instanceof PlanState plan) {
        plans.add(plan);
      }
    }
    environment.partition().tell(new PlanNotice.Born(jobs, plans));
    replyTo.tell(new PlanReply.Accepted(id));
    return Plan.live(state, context, timers, environment);
  }

  private Behavior<Plan.Command> refused(PlanReply reply) {
    replyTo.tell(reply);
    environment.partition().tell(new PlanNotice.Gone(id, context.getSelf()));
    return Behaviors.receiveMessage(
        message -> message == Plan.Retire.INSTANCE ? Behaviors.stopped() : Behaviors.unhandled());
  }
}
