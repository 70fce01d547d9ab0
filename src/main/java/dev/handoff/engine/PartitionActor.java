package dev.handoff.engine;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.dispatch.Dispatcher;
import dev.handoff.dispatch.QueuesState;
import dev.handoff.job.ForJob;
import dev.handoff.job.JobState;
import dev.handoff.job.PartitionNotice;
import dev.handoff.job.SubmitReply;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.LedgerNotice;
import dev.handoff.plan.ForPlan;
import dev.handoff.plan.PlanReply;
import dev.handoff.plan.PlanState;
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

/// One share of all jobs and plans: their actors, the ledger that they write to and the dispatcher
/// that jobs wait at. The ledger tells it what is durable; [JobDesk] and [PlanDesk] know whose a
/// message is.
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
  private final JobDesk jobs;
  private final PlanDesk plans;
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
    ActorRef<Object> open =
        context.spawn(
            Dispatcher.createForJobs(environment.dispatcher(number, notices)), "dispatcher");
    context.watch(open);
    dispatcher = open.narrow();
    jobs = new JobDesk(context, environment, ledger, open.narrow(), notices);
    plans = new PlanDesk(context, environment, ledger, jobs);
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

  /// Signals overtake messages: what the part had to say is still in the mailbox.
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
    environment.events().tell(new Events.Happened(facts));
    return this;
  }

  private Behavior<Partition.Command> onStore(boolean away, Engine.Command notice) {
    dispatcher.tell(new Dispatcher.Hold(away));
    environment.engine().tell(notice);
    return this;
  }

  /// Everything of this partition stops: its ledger will not take anything any more.
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
      case Partition.Deliver(ForJob(var job, var command)) ->
          jobs.turnAway(job, command, READING_BACK);
      case Partition.SubmitPlan(var id, var draft, var replyTo) ->
          replyTo.tell(new PlanReply.Unavailable(id, READING_BACK, environment.retryAfter()));
      case Partition.DeliverPlan(ForPlan(var plan, var command)) ->
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
