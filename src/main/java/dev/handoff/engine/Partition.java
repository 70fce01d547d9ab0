package dev.handoff.engine;

import dev.handoff.dispatch.Dispatcher;
import dev.handoff.dispatch.QueuesState;
import dev.handoff.job.Archive;
import dev.handoff.job.Archived;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobEnvironment;
import dev.handoff.job.JobError;
import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.PartitionNotice;
import dev.handoff.job.Phase;
import dev.handoff.job.SubmitReply;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.LedgerNotice;
import dev.handoff.ledger.WireMessage;
import dev.handoff.store.HistoryRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
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
/// recovering ──ledger read back──▶ live ──fenced, or unreadable──▶ stopped
/// ```
public final class Partition extends AbstractMatchingBehavior<Partition.Command> {

  /// Messages accepted by a partition.
  public sealed interface Command {}

  /// A new job. Answered when it is durable.
  public record Submit(JobId id, JobSpec spec, ActorRef<SubmitReply> replyTo)
      implements Command, WireMessage {}

  /// A message for a job of this partition, live or not.
  public record Deliver(ForJob message) implements Command, WireMessage {}

  /// Some of the live jobs, newest first.
  public record ListLive(JobQuery query, ActorRef<LiveJobs> replyTo)
      implements Command, WireMessage {}

  public record LiveJobs(int partition, List<JobState> jobs) implements WireMessage {
    public LiveJobs {
      jobs = List.copyOf(jobs);
    }
  }

  private record LedgerSays(LedgerNotice notice)
      implements Command, NoSerializationVerificationNeeded {}

  private record JobSays(PartitionNotice notice)
      implements Command, NoSerializationVerificationNeeded {}

  private record KeysFound(@Nullable Map<String, HistoryRow> rows, @Nullable Throwable failure)
      implements Command, NoSerializationVerificationNeeded {}

  private record RowFound(
      ForJob message, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure)
      implements Command, NoSerializationVerificationNeeded {}

  private record Found(JobId job, Ledger.Reply reply)
      implements Command, NoSerializationVerificationNeeded {}

  private record ToPartition(JobId job, ActorRef<Command> partition) implements Ledger.Sender {
    @Override
    public void tell(Ledger.Reply reply) {
      partition.tell(new Found(job, reply));
    }
  }

  static Behavior<Command> create(int number, PartitionEnvironment environment) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Partition.class);
          return Behaviors.withStash(
              environment.stash(), stash -> new Partition(context, number, environment, stash));
        });
  }

  private static final int MAX_CRASHES = 3;

  private final int number;
  private final PartitionEnvironment environment;
  private final StashBuffer<Command> stash;
  private final ActorRef<Ledger.Command> ledger;
  private final ActorRef<Dispatcher.Command> dispatcher;
  private final JobEnvironment jobEnvironment;
  private final Map<JobId, ActorRef<Job.Command>> jobs = new HashMap<>();
  private final Keys keys = new Keys();
  private final Map<JobId, Integer> crashes = new HashMap<>();
  private final Map<JobId, List<Job.Command>> reviving = new HashMap<>();
  private boolean live;
  private long respawns;

  private Partition(
      ActorContext<Command> context,
      int number,
      PartitionEnvironment environment,
      StashBuffer<Command> stash) {
    super(context);
    this.number = number;
    this.environment = environment;
    this.stash = stash;
    var says = context.messageAdapter(LedgerNotice.class, LedgerSays::new);
    ledger =
        context.spawn(
            Ledger.create(number, environment.owner(), environment.ledger(), says), "ledger");
    ActorRef<Object> open =
        context.spawn(Dispatcher.createForJobs(environment.dispatcher(number)), "dispatcher");
    dispatcher = open.narrow();
    jobEnvironment =
        new JobEnvironment(
            ledger,
            open.<JobNotice>narrow(),
            context.messageAdapter(PartitionNotice.class, JobSays::new),
            environment.ledger().codec(),
            environment.clock(),
            environment.settings().jobs());
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    return switch (message) {
      case LedgerSays(var notice) -> onLedger(notice);
      case Submit early when !live -> later(early, early.replyTo());
      case Deliver early when !live -> later(early);
      case ListLive early when !live -> later(early);
      case Submit submit -> onSubmit(submit);
      case Deliver(var forJob) -> deliver(forJob);
      case JobSays(var notice) -> onJob(notice);
      case KeysFound(var rows, var failure) -> onKeysFound(rows, failure);
      case RowFound(var forJob, var row, var failure) -> onRowFound(forJob, row, failure);
      case Found(var job, var reply) -> onFound(job, reply);
      case ListLive list -> onList(list);
    };
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  private Behavior<Command> onLedger(LedgerNotice notice) {
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

  private Behavior<Command> publish(List<LedgerNotice.Folded> facts) {
    environment.events().tell(new Events.Happened(facts));
    return this;
  }

  private Behavior<Command> onStore(boolean away, Engine.Command notice) {
    dispatcher.tell(new Dispatcher.Hold(away));
    environment.engine().tell(notice);
    return this;
  }

  /// Everything of this partition stops: its ledger will not take anything any more.
  private Behavior<Command> down(String reason) {
    environment.engine().tell(new Engine.PartitionDown(number, reason));
    return Behaviors.stopped();
  }

  private Behavior<Command> onRecovered(List<EntityState> states) {
    var queues = QueuesState.NONE;
    for (var state : states) {
      if (state instanceof QueuesState rules) {
        queues = rules;
      } else if (state instanceof JobState job) {
        keys.hold(job.spec().uniqueKey(), job.id());
        jobs.put(job.id(), getContext().spawn(Job.live(job, jobEnvironment), job.id().value()));
      }
    }
    live = true;
    environment.engine().tell(new Engine.Opened(number, dispatcher, queues, ledger));
    return stash.unstashAll(this);
  }

  private Behavior<Command> later(Submit submit, ActorRef<SubmitReply> replyTo) {
    if (stash.isFull()) {
      replyTo.tell(
          new SubmitReply.Unavailable(
              "the partition is being read back", environment.retryAfter()));
      return this;
    }
    return later(submit);
  }

  private Behavior<Command> later(Command early) {
    if (!stash.isFull()) {
      stash.stash(early);
    } else if (early instanceof Deliver(var forJob)) {
      Archived.unavailable(
          forJob.command(),
          forJob.job(),
          "the partition is being read back",
          environment.retryAfter());
    }
    return this;
  }

  private Behavior<Command> onSubmit(Submit submit) {
    var key = submit.spec().uniqueKey();
    var holder = key == null ? null : keys.holder(key);
    if (key == null) {
      accept(submit.id(), submit.spec(), submit.replyTo());
    } else if (holder != null) {
      deliver(new ForJob(holder, new Job.SameKey(submit.spec(), submit.replyTo())));
    } else {
      keys.await(key, new Keys.Submission(submit.id(), submit.spec(), submit.replyTo()));
      askForKeys();
    }
    return this;
  }

  private void accept(JobId id, JobSpec spec, ActorRef<SubmitReply> replyTo) {
    keys.hold(spec.uniqueKey(), id);
    jobs.put(
        id,
        getContext().spawn(Job.submitted(id, spec, false, replyTo, jobEnvironment), id.value()));
  }

  private void askForKeys() {
    var asked = keys.toAsk();
    if (!asked.isEmpty()) {
      getContext().pipeToSelf(environment.ledger().store().findKeys(asked), KeysFound::new);
    }
  }

  private Behavior<Command> onKeysFound(
      @Nullable Map<String, HistoryRow> rows, @Nullable Throwable failure) {
    keys.answered()
        .forEach((key, waiting) -> waiting.forEach(one -> settle(key, one, rows, failure)));
    askForKeys();
    return this;
  }

  private void settle(
      String key,
      Keys.Submission one,
      @Nullable Map<String, HistoryRow> rows,
      @Nullable Throwable failure) {
    if (failure != null) {
      one.replyTo()
          .tell(
              new SubmitReply.Unavailable(
                  String.valueOf(failure.getMessage()), environment.retryAfter()));
      return;
    }
    var row = rows.get(key);
    var holder = keys.holder(key);
    if (row != null) {
      read(row).ifPresent(job -> one.replyTo().tell(Archived.sameKey(job, one.spec())));
    } else if (holder != null) {
      deliver(new ForJob(holder, new Job.SameKey(one.spec(), one.replyTo())));
    } else {
      accept(one.id(), one.spec(), one.replyTo());
    }
  }

  private Behavior<Command> deliver(ForJob message) {
    var job = jobs.get(message.job());
    var waiting = reviving.get(message.job());
    if (waiting != null) {
      waiting.add(message.command());
    } else if (job != null) {
      job.tell(message.command());
    } else {
      getContext()
          .pipeToSelf(
              environment.ledger().store().find(message.job().value()),
              (row, failure) -> new RowFound(message, row, failure));
    }
    return this;
  }

  private Behavior<Command> onRowFound(
      ForJob message, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure) {
    var command = message.command();
    if (jobs.containsKey(message.job())) {
      deliver(message);
    } else if (failure != null) {
      Archived.unavailable(
          command, message.job(), String.valueOf(failure.getMessage()), environment.retryAfter());
    } else {
      row.flatMap(this::read)
          .ifPresentOrElse(
              ended -> answer(command, ended), () -> Archived.notFound(command, message.job()));
    }
    return this;
  }

  private void answer(Job.Command command, JobState ended) {
    if (command instanceof Job.Do(JobCommand.Retry(var by), var replyTo)
        && !(ended.phase() instanceof Phase.Succeeded)) {
      keys.hold(ended.spec().uniqueKey(), ended.id());
      spawnAgain(ended.id(), Job.reopened(ended, by, replyTo, jobEnvironment));
    } else {
      Archived.answer(command, ended, environment.clock().instant(), ThreadLocalRandom.current());
    }
  }

  private Optional<JobState> read(HistoryRow row) {
    try {
      return Optional.of(Archive.read(row, environment.ledger().codec()));
    } catch (IOException e) {
      getContext()
          .getLog()
          .error("job [{}] cannot be read from history: {}", row.id(), e.getMessage());
      return Optional.empty();
    }
  }

  private Behavior<Command> onJob(PartitionNotice notice) {
    switch (notice) {
      case PartitionNotice.Gone(var id) -> onGone(id);
      case PartitionNotice.Born(var child) ->
          spawnAgain(child.id(), Job.live(child, jobEnvironment));
      case PartitionNotice.Forward(var message) -> deliver(message);
      case PartitionNotice.Crashed(var id, var cause) -> onCrashed(id, cause);
    }
    return this;
  }

  private void onGone(JobId id) {
    keys.release(id);
    crashes.remove(id);
    var job = jobs.remove(id);
    if (job != null) {
      job.tell(Job.Retire.INSTANCE);
    }
  }

  /// The actor is made anew from what the ledger holds once everything that it had appended is
  /// written.
  private void onCrashed(JobId id, String cause) {
    crashes.merge(id, 1, Integer::sum);
    reviving.put(id, new ArrayList<>());
    ledger.tell(
        new Ledger.Append(
            id.value(),
            List.of(),
            List.of(),
            List.of(),
            new ToPartition(id, getContext().getSelf())));
  }

  private Behavior<Command> onFound(JobId id, Ledger.Reply reply) {
    var waiting = reviving.remove(id);
    if (reply instanceof Ledger.Committed(var state, var others) && state instanceof JobState job) {
      revive(job);
    } else {
      jobs.remove(id);
      keys.release(id);
    }
    if (waiting != null) {
      waiting.forEach(command -> deliver(new ForJob(id, command)));
    }
    return this;
  }

  private void revive(JobState job) {
    spawnAgain(job.id(), Job.live(job, jobEnvironment));
    if (crashes.getOrDefault(job.id(), 0) >= MAX_CRASHES) {
      var error =
          JobError.of(
              "actor-failed",
              "the actor of this job failed %d times in a row".formatted(MAX_CRASHES));
      var giveUp =
          new Job.Do(new JobCommand.GiveUp(error), getContext().getSystem().<JobReply>ignoreRef());
      deliver(new ForJob(job.id(), giveUp));
    }
  }

  /// An actor of this name may still be on its way out, so that each new one has a name of its own.
  private void spawnAgain(JobId id, Behavior<Job.Command> behavior) {
    jobs.put(id, getContext().spawn(behavior, id.value() + "." + ++respawns));
  }

  private Behavior<Command> onList(ListLive list) {
    getContext()
        .spawnAnonymous(
            LiveList.create(number, list.query(), ledger, environment.clock(), list.replyTo()));
    return this;
  }
}
