package dev.handoff.engine;

import dev.handoff.dispatch.Dispatcher;
import dev.handoff.dispatch.QueuesState;
import dev.handoff.job.Archive;
import dev.handoff.job.Archived;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobEnvironment;
import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice;
import dev.handoff.job.JobState;
import dev.handoff.job.PartitionNotice;
import dev.handoff.job.Phase;
import dev.handoff.job.SubmitReply;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.LedgerNotice;
import dev.handoff.plan.ForPlan;
import dev.handoff.plan.PlanReply;
import dev.handoff.plan.PlanState;
import dev.handoff.store.HistoryRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;
import org.jspecify.annotations.Nullable;

/// One share of all jobs: their actors, the ledger that they write to and the dispatcher that they
/// wait at. Gives each message for a job to its actor, answers for those that have none any more,
/// and sees that a key has one holder.
///
/// ```
/// recovering ──ledger read back──▶ live ──fenced, unreadable, or a part lost──▶ stopped
/// ```
///
/// A job without an actor is looked up once, whoever asks for it meanwhile waits: so what is said
/// of it, and done with it, never rests on a row that has been overtaken.
final class PartitionActor extends AbstractMatchingBehavior<Partition.Command> {

  private static final String READING_BACK = "the partition is being read back";

  private final int number;
  private final PartitionEnvironment environment;
  private final StashBuffer<Partition.Command> stash;
  private final ActorRef<Ledger.Command> ledger;
  private final ActorRef<Dispatcher.Command> dispatcher;
  private final JobActors jobs;
  private final Lookups lookups;
  private final Admission admission;
  private final Revival revival;
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
    var jobEnvironment =
        new JobEnvironment(
            ledger,
            open.<JobNotice>narrow(),
            notices,
            environment.ledger().codec(),
            environment.clock(),
            environment.settings().jobs());
    jobs = new JobActors(context, Job.unborn(jobEnvironment));
    lookups = new Lookups(context, environment);
    admission = new Admission(environment, lookups, jobs, this::deliver);
    revival = new Revival(context, ledger, jobs, admission, lookups, this::deliver);
    plans = new PlanDesk(context, environment, ledger, jobs, this::deliver);
  }

  @Override
  public Behavior<Partition.Command> onMessage(Partition.Command message) {
    return switch (message) {
      case Partition.LedgerSays(var notice) -> onLedger(notice);
      case Partition.FromOutside early when !live -> later(early);
      case Partition.Submit submit -> onSubmit(submit);
      case Partition.Deliver(var forJob) -> onDeliver(forJob);
      case Partition.ForPlans about -> onPlans(about);
      case Partition.ListLive(var query, var replyTo) -> list(LiveList.of(query), replyTo);
      case Partition.ListPlans(var query, var replyTo) -> list(LiveList.of(query), replyTo);
      case Partition.JobSays(var notice) -> onJob(notice);
      case Partition.KeysFound(var rows, var failure) -> onKeysFound(rows, failure);
      case Partition.RowFound(var job, var row, var failure) -> onRowFound(job, row, failure);
      case Partition.StateFound(var asked, var reply) -> onStateFound(asked, reply);
      case Partition.AskLedger again -> onAskLedger(again);
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
    return down("the %s of partition %d failed: %s".formatted(name, number, part.cause()));
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
    for (var state : states) {
      if (state instanceof QueuesState rules) {
        queues = rules;
      } else if (state instanceof JobState job) {
        admission.hold(job.spec().uniqueKey(), job.id());
        jobs.spawn(job.id(), new Job.Live(job));
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
      case Partition.Deliver(ForJob(var job, var command)) ->
          lookups.turnAway(job, command, READING_BACK);
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

  private Behavior<Partition.Command> onPlans(Partition.ForPlans message) {
    plans.on(message);
    return this;
  }

  private Behavior<Partition.Command> onSubmit(Partition.Submit submit) {
    admission.submit(submit);
    return this;
  }

  private Behavior<Partition.Command> onKeysFound(
      @Nullable Map<String, HistoryRow> rows, @Nullable Throwable failure) {
    admission.found(rows, failure);
    return this;
  }

  private Behavior<Partition.Command> onDeliver(ForJob message) {
    deliver(message);
    return this;
  }

  private void deliver(ForJob message) {
    var id = message.job();
    var command = message.command();
    var job = jobs.get(id);
    var left = revival.leftBecause(id);
    if (lookups.isOpen(id)) {
      lookups.await(id, command);
    } else if (left != null) {
      lookups.turnAway(id, command, left);
    } else if (job != null) {
      job.tell(command);
    } else {
      lookups.ask(id, command);
    }
  }

  private Behavior<Partition.Command> onRowFound(
      JobId id, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure) {
    var messages = lookups.close(id);
    try {
      if (jobs.has(id)) {
        messages.forEach(message -> deliver(new ForJob(id, message)));
      } else if (failure != null) {
        messages.forEach(message -> lookups.turnAway(id, message, Lookups.reason(failure)));
      } else if (row.filter(found -> found.kind().equals(Archive.KIND)).isEmpty()) {
        messages.forEach(message -> Archived.notFound(message, id));
      } else {
        var ended = lookups.read(row.get());
        messages.forEach(message -> answer(message, ended));
      }
    } catch (IOException unreadable) {
      messages.forEach(message -> lookups.turnAway(id, message, unreadable.getMessage()));
    }
    return this;
  }

  /// The first retry opens the job again; what has waited behind it is for the live job.
  private void answer(Job.Command command, JobState ended) {
    if (jobs.has(ended.id())) {
      deliver(new ForJob(ended.id(), command));
    } else if (command instanceof Job.Do(JobCommand.Retry retry, var replyTo)
        && mayOpenAgain(ended, retry)) {
      admission.openAgain(ended, retry, replyTo);
    } else {
      Archived.answer(command, ended, environment.clock().instant(), ThreadLocalRandom.current());
    }
  }

  private static boolean mayOpenAgain(JobState ended, JobCommand.Retry retry) {
    return !(ended.phase() instanceof Phase.Succeeded)
        && (retry.withPlan() || !ended.spec().isStep());
  }

  private Behavior<Partition.Command> onJob(PartitionNotice notice) {
    switch (notice) {
      case PartitionNotice.Gone(var id, var actor) -> onGone(id, actor);
      case PartitionNotice.Born(var child) -> jobs.born(child);
      case PartitionNotice.Forward(var message) -> deliver(message);
      case PartitionNotice.Crashed(var id, var actor, var cause) ->
          revival.failed(id, actor, cause);
    }
    return this;
  }

  private void onGone(JobId id, ActorRef<Job.Command> actor) {
    if (jobs.remove(id, actor)) {
      admission.release(id);
      revival.forget(id);
    }
    actor.tell(Job.Retire.INSTANCE);
  }

  private Behavior<Partition.Command> onAskLedger(Partition.AskLedger again) {
    revival.ask(again);
    return this;
  }

  private Behavior<Partition.Command> onStateFound(Partition.AskLedger asked, Ledger.Reply reply) {
    revival.found(asked, reply);
    return this;
  }

  private Behavior<Partition.Command> list(
      LiveList.Selection<?> selection, ActorRef<Partition.Listing> replyTo) {
    getContext()
        .spawnAnonymous(LiveList.create(number, selection, ledger, environment.clock(), replyTo));
    return this;
  }
}
