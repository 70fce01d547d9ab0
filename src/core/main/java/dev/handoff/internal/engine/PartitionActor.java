package dev.handoff.internal.engine;

import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.QueuesState;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.ledger.LedgerNotice;
import dev.handoff.internal.plan.PlanEnvelope;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.PlanState;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;

/// One partition of all jobs and plans: their actors, their ledger and their dispatcher. The ledger
/// reports durable facts; [PartitionJobs] and [PartitionPlans] route messages to actors.
///
/// ```
/// recovering ──ledger read back──▶ live ──fenced, unreadable, or a part lost──▶ stopped
/// ```
final class PartitionActor extends AbstractMatchingBehavior<Partition.Command> {

  private static final String READING_BACK = "the partition is being read back";

  private final int number;
  private final PartitionEnvironment environment;
  private final StashBuffer<Partition.Command> stash;
  private final ActorRef<Ledger.Command> ledger;
  private final ActorRef<Dispatcher.Command> dispatcher;
  private final PartitionJobs jobs;
  private final PartitionPlans plans;
  private boolean live;

  PartitionActor(
      ActorContext<Partition.Command> context,
      int number,
      PartitionEnvironment environment,
      StashBuffer<Partition.Command> stash) {
    super(context);
    this.number = number;
    this.environment = environment;
    this.stash = stash;
    var says = context.messageAdapter(LedgerNotice.class, Partition.LedgerSays::new);
    ledger =
        context.spawn(
            Ledger.create(number, environment.owner(), environment.ledger(), says), "ledger");
    context.watch(ledger);
    var notices = context.messageAdapter(PartitionNotice.class, Partition.JobSays::new);
    dispatcher =
        context.spawn(Dispatcher.create(environment.dispatcher(number, notices)), "dispatcher");
    context.watch(dispatcher);
    jobs = new PartitionJobs(context, environment, ledger, Dispatcher.forJobs(dispatcher), notices);
    plans = new PartitionPlans(context, environment, ledger, jobs);
  }

  @Override
  public Behavior<Partition.Command> onMessage(Partition.Command message) {
    return switch (message) {
      case Partition.LedgerSays(var notice) -> onLedger(notice);
      case Partition.FromOutside early when !live -> later(early);
      case Partition.ForJobs about -> onJobs(about);
      case Partition.ForPlans about -> onPlans(about);
      case Partition.ListLive(var query, var replyTo) -> list(LiveList.of(query), replyTo);
      case Partition.ListPlans(var query, var replyTo) -> list(LiveList.of(query), replyTo);
      case Partition.PartGone gone -> down("a part of partition " + number + " is gone");
    };
  }

  @Override
  public Behavior<Partition.Command> onSignal(Signal signal) {
    return switch (signal) {
      case ChildFailed failed -> onFailed(failed);
      case Terminated gone -> afterItsLastWords();
      default -> Behaviors.unhandled();
    };
  }

  private Behavior<Partition.Command> onFailed(ChildFailed part) {
    var name = part.getRef().path().name();
    return down(
        "the %s of partition %d failed: %s".formatted(name, number, FatalErrorGuard.cause(part)));
  }

  /// Signals overtake messages: the part's last messages are still in the mailbox.
  private Behavior<Partition.Command> afterItsLastWords() {
    getContext().getSelf().tell(Partition.PartGone.INSTANCE);
    return this;
  }

  private Behavior<Partition.Command> onLedger(LedgerNotice notice) {
    return switch (notice) {
      case LedgerNotice.Published(var facts) -> publish(facts);
      case LedgerNotice.Recovered(var states) -> onRecovered(states);
      case LedgerNotice.StoreAway(var reason) ->
          onStore(true, new Engine.StoreAway(number, reason));
      case LedgerNotice.StoreBack back -> onStore(false, new Engine.StoreBack(number));
      case LedgerNotice.SteppedDown(var by) ->
          down("partition " + number + " was taken over by " + by);
      case LedgerNotice.Unreadable(var what) -> down("the store cannot be read: " + what);
    };
  }

  private Behavior<Partition.Command> publish(List<LedgerNotice.Folded> facts) {
    plans.moved(facts);
    environment.events().tell(new EventBuffer.Happened(facts));
    return this;
  }

  private Behavior<Partition.Command> onStore(boolean away, Engine.Command notice) {
    dispatcher.tell(new Dispatcher.Hold(away));
    environment.engine().tell(notice);
    return this;
  }

  /// Stops the whole partition: its ledger takes no more appends.
  private Behavior<Partition.Command> down(String reason) {
    environment.engine().tell(new Engine.PartitionDown(number, reason));
    return Behaviors.stopped();
  }

  private Behavior<Partition.Command> onRecovered(List<EntityState> states) {
    var queues = QueuesState.NONE;
    var interrupted = new ArrayList<JobState>();
    var room = new HeapRoom();
    for (var state : states) {
      room.take();
      if (state instanceof QueuesState rules) {
        queues = rules;
      } else if (state instanceof JobState job) {
        jobs.restore(job);
        job.underway().ifPresent(run -> interrupted.add(job));
      } else if (state instanceof PlanState plan) {
        plans.restore(plan);
      }
    }
    live = true;
    environment.engine().tell(new Engine.Opened(number, dispatcher, queues, ledger, interrupted));
    return stash.unstashAll(this);
  }

  private Behavior<Partition.Command> later(Partition.FromOutside early) {
    if (!stash.isFull()) {
      stash.stash(early);
      return this;
    }
    switch (early) {
      case Partition.Submit(var id, var spec, var replyTo) ->
          replyTo.tell(new SubmitReply.Unavailable(READING_BACK, environment.retryAfter()));
      case Partition.SubmitBatch batch ->
          BatchReplies.turnAway(batch, READING_BACK, environment.retryAfter());
      case Partition.Deliver(JobEnvelope(var job, var command)) ->
          jobs.turnAway(job, command, READING_BACK);
      case Partition.SubmitPlan(var id, var draft, var replyTo) ->
          replyTo.tell(new PlanReply.Unavailable(id, READING_BACK, environment.retryAfter()));
      case Partition.DeliverPlan(PlanEnvelope(var plan, var command)) ->
          plans.turnAway(plan, command, READING_BACK);
      case Partition.ListLive(var query, var replyTo) ->
          replyTo.tell(new Partition.NotListed(number, READING_BACK, environment.retryAfter()));
      case Partition.ListPlans(var query, var replyTo) ->
          replyTo.tell(new Partition.NotListed(number, READING_BACK, environment.retryAfter()));
    }
    return this;
  }

  private Behavior<Partition.Command> onJobs(Partition.ForJobs message) {
    jobs.on(message);
    return this;
  }

  private Behavior<Partition.Command> onPlans(Partition.ForPlans message) {
    plans.on(message);
    return this;
  }

  private Behavior<Partition.Command> list(
      LiveList.Selection<?> selection, ActorRef<Partition.Listing> replyTo) {
    getContext()
        .spawnAnonymous(LiveList.create(number, selection, ledger, environment.clock(), replyTo));
    return this;
  }
}
