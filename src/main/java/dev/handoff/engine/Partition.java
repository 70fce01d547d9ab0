package dev.handoff.engine;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
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
import dev.handoff.job.Text;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.LedgerNotice;
import dev.handoff.ledger.WireMessage;
import dev.handoff.store.HistoryRow;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
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
public final class Partition extends AbstractMatchingBehavior<Partition.Command> {

  /// Messages accepted by a partition.
  public sealed interface Command {}

  /// What comes through the gateway. Waits while the partition is read back.
  public sealed interface FromOutside extends Command, WireMessage {}

  /// A new job. Answered when it is durable.
  public record Submit(JobId id, JobSpec spec, ActorRef<SubmitReply> replyTo)
      implements FromOutside {}

  /// A message for a job of this partition, live or not.
  public record Deliver(ForJob message) implements FromOutside {}

  /// Some of the live jobs. Answered with a [Listing].
  public record ListLive(JobQuery query, ActorRef<Listing> replyTo) implements FromOutside {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "listing")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = LiveJobs.class, name = "live-jobs"),
    @JsonSubTypes.Type(value = NotListed.class, name = "not-listed")
  })
  public sealed interface Listing extends WireMessage {}

  /// Newest first.
  public record LiveJobs(int partition, List<JobState> jobs) implements Listing {
    public LiveJobs {
      jobs = List.copyOf(jobs);
    }
  }

  /// The partition is being read back: ask again later.
  public record NotListed(int partition, String reason, Duration retryAfter) implements Listing {}

  private record LedgerSays(LedgerNotice notice)
      implements Command, NoSerializationVerificationNeeded {}

  private record JobSays(PartitionNotice notice)
      implements Command, NoSerializationVerificationNeeded {}

  private record KeysFound(@Nullable Map<String, HistoryRow> rows, @Nullable Throwable failure)
      implements Command, NoSerializationVerificationNeeded {}

  private record RowFound(
      JobId job, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure)
      implements Command, NoSerializationVerificationNeeded {}

  /// Asks the ledger for the state of a job that has lost its actor, or never had one.
  private record AskLedger(JobId job, boolean crashed)
      implements Command, NoSerializationVerificationNeeded {}

  private record StateFound(AskLedger asked, Ledger.Reply reply)
      implements Command, NoSerializationVerificationNeeded {}

  private enum PartGone implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  private record ToPartition(AskLedger asked, ActorRef<Command> partition)
      implements Ledger.Sender {
    @Override
    public void tell(Ledger.Reply reply) {
      partition.tell(new StateFound(asked, reply));
    }
  }

  static Behavior<Command> create(int number, PartitionEnvironment environment) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Partition.class);
          return Behaviors.withStash(
              PartitionEnvironment.STASH,
              stash -> new Partition(context, number, environment, stash));
        });
  }

  private static final String READING_BACK = "the partition is being read back";

  private final int number;
  private final PartitionEnvironment environment;
  private final StashBuffer<Command> stash;
  private final ActorRef<Ledger.Command> ledger;
  private final ActorRef<Dispatcher.Command> dispatcher;
  private final Behavior<Job.Command> unborn;
  private final Map<JobId, ActorRef<Job.Command>> jobs = new HashMap<>();
  private final Keys keys;
  private final Waiting waiting;
  private final Crashes crashes = new Crashes();
  private boolean live;

  private Partition(
      ActorContext<Command> context,
      int number,
      PartitionEnvironment environment,
      StashBuffer<Command> stash) {
    super(context);
    this.number = number;
    this.environment = environment;
    this.stash = stash;
    this.keys = new Keys(environment.settings().ledger().backlog());
    this.waiting = new Waiting(environment.settings().jobs().stash());
    var says = context.messageAdapter(LedgerNotice.class, LedgerSays::new);
    ledger =
        context.spawn(
            Ledger.create(number, environment.owner(), environment.ledger(), says), "ledger");
    context.watch(ledger);
    var notices = context.messageAdapter(PartitionNotice.class, JobSays::new);
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
    unborn = Job.unborn(jobEnvironment);
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    return switch (message) {
      case LedgerSays(var notice) -> onLedger(notice);
      case FromOutside early when !live -> later(early);
      case Submit submit -> onSubmit(submit);
      case Deliver(var forJob) -> deliver(forJob);
      case ListLive list -> onList(list);
      case JobSays(var notice) -> onJob(notice);
      case KeysFound(var rows, var failure) -> onKeysFound(rows, failure);
      case RowFound(var job, var row, var failure) -> onRowFound(job, row, failure);
      case StateFound(var asked, var reply) -> onStateFound(asked, reply);
      case AskLedger ask -> askLedger(ask);
      case PartGone gone -> down("a part of partition " + number + " is gone");
    };
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    return switch (signal) {
      case ChildFailed failed -> onFailed(failed);
      case Terminated gone -> afterItsLastWords();
      default -> Behaviors.unhandled();
    };
  }

  private Behavior<Command> onFailed(ChildFailed part) {
    var name = part.getRef().path().name();
    return down("the %s of partition %d failed: %s".formatted(name, number, part.cause()));
  }

  /// Signals overtake messages: what the part had to say is still in the mailbox.
  private Behavior<Command> afterItsLastWords() {
    getContext().getSelf().tell(PartGone.INSTANCE);
    return this;
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
        spawn(job.id(), new Job.Live(job));
      }
    }
    live = true;
    environment.engine().tell(new Engine.Opened(number, dispatcher, queues, ledger));
    return stash.unstashAll(this);
  }

  private Behavior<Command> later(FromOutside early) {
    if (!stash.isFull()) {
      stash.stash(early);
      return this;
    }
    switch (early) {
      case Submit(var id, var spec, var replyTo) ->
          replyTo.tell(new SubmitReply.Unavailable(READING_BACK, environment.retryAfter()));
      case Deliver(ForJob(var job, var command)) -> turnAway(job, command, READING_BACK);
      case ListLive(var query, var replyTo) ->
          replyTo.tell(new NotListed(number, READING_BACK, environment.retryAfter()));
    }
    return this;
  }

  private void turnAway(JobId job, Job.Command message, String reason) {
    Archived.unavailable(message, job, reason, environment.retryAfter());
  }

  private Behavior<Command> onSubmit(Submit submit) {
    var key = submit.spec().uniqueKey();
    var holder = key == null ? null : keys.holder(key);
    if (key == null) {
      accept(submit.id(), submit.spec(), submit.replyTo());
    } else if (holder != null) {
      deliver(new ForJob(holder, new Job.SameKey(submit.spec(), submit.replyTo())));
    } else {
      await(key, new Keys.Submission(submit.id(), submit.spec(), submit.replyTo()));
    }
    return this;
  }

  private void await(String key, Keys.Submission submission) {
    if (keys.await(key, submission)) {
      askForKeys();
    } else {
      refuse(submission, "the store does not keep up with the questions for keys");
    }
  }

  private void accept(JobId id, JobSpec spec, ActorRef<SubmitReply> replyTo) {
    keys.hold(spec.uniqueKey(), id);
    spawn(id, new Job.Submitted(id, spec, false, replyTo));
  }

  private void askForKeys() {
    var asked = keys.toAsk();
    if (!asked.isEmpty()) {
      getContext().pipeToSelf(environment.ledger().store().findKeys(asked), KeysFound::new);
    }
  }

  private Behavior<Command> onKeysFound(
      @Nullable Map<String, HistoryRow> rows, @Nullable Throwable failure) {
    for (var key : keys.answered().entrySet()) {
      for (var submission : key.getValue()) {
        if (failure == null) {
          settle(key.getKey(), submission, rows.get(key.getKey()));
        } else {
          refuse(submission, reason(failure));
        }
      }
    }
    askForKeys();
    return this;
  }

  private void refuse(Keys.Submission one, String reason) {
    one.replyTo().tell(new SubmitReply.Unavailable(reason, environment.retryAfter()));
  }

  private void settle(String key, Keys.Submission one, @Nullable HistoryRow row) {
    var holder = keys.holder(key);
    if (holder != null) {
      deliver(new ForJob(holder, new Job.SameKey(one.spec(), one.replyTo())));
    } else if (row == null) {
      accept(one.id(), one.spec(), one.replyTo());
    } else {
      try {
        one.replyTo().tell(Archived.sameKey(read(row), one.spec()));
      } catch (IOException unreadable) {
        refuse(one, unreadable.getMessage());
      }
    }
  }

  private Behavior<Command> deliver(ForJob message) {
    var id = message.job();
    var command = message.command();
    var job = jobs.get(id);
    var left = crashes.leftBecause(id);
    if (waiting.isOpen(id)) {
      if (!waiting.add(id, command)) {
        turnAway(id, command, "too many messages wait for job " + id);
      }
    } else if (left != null) {
      turnAway(id, command, left);
    } else if (job != null) {
      job.tell(command);
    } else {
      waiting.open(id);
      waiting.add(id, command);
      getContext()
          .pipeToSelf(
              environment.ledger().store().find(id.value()),
              (row, failure) -> new RowFound(id, row, failure));
    }
    return this;
  }

  private Behavior<Command> onRowFound(
      JobId id, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure) {
    var messages = waiting.close(id);
    try {
      if (jobs.containsKey(id)) {
        messages.forEach(message -> deliver(new ForJob(id, message)));
      } else if (failure != null) {
        messages.forEach(message -> turnAway(id, message, reason(failure)));
      } else if (row.isEmpty()) {
        messages.forEach(message -> Archived.notFound(message, id));
      } else {
        var ended = read(row.get());
        messages.forEach(message -> answer(message, ended));
      }
    } catch (IOException unreadable) {
      messages.forEach(message -> turnAway(id, message, unreadable.getMessage()));
    }
    return this;
  }

  /// The first retry opens the job again; what has waited behind it is for the live job.
  private void answer(Job.Command command, JobState ended) {
    if (jobs.containsKey(ended.id())) {
      deliver(new ForJob(ended.id(), command));
    } else if (command instanceof Job.Do(JobCommand.Retry(var by), var replyTo)
        && mayOpenAgain(ended)) {
      openAgain(ended, by, replyTo);
    } else {
      Archived.answer(command, ended, environment.clock().instant(), ThreadLocalRandom.current());
    }
  }

  /// History may have forgotten the job since its row was read, and somebody else has its key.
  private void openAgain(JobState ended, String by, ActorRef<JobReply> replyTo) {
    var key = ended.spec().uniqueKey();
    var holder = key == null ? null : keys.holder(key);
    if (holder == null) {
      keys.hold(key, ended.id());
      spawn(ended.id(), new Job.Reopened(ended, by, replyTo));
    } else {
      var reason = "its key \"%s\" belongs to job %s now".formatted(Text.shown(key), holder);
      replyTo.tell(new JobReply.Declined(ended, reason));
    }
  }

  private static boolean mayOpenAgain(JobState ended) {
    return !(ended.phase() instanceof Phase.Succeeded);
  }

  /// @throws IOException whose message names the job
  private JobState read(HistoryRow row) throws IOException {
    try {
      return Archive.read(row, environment.ledger().codec());
    } catch (IOException e) {
      var reason = "job %s cannot be read from history: %s".formatted(row.id(), e.getMessage());
      getContext().getLog().error(reason);
      throw new IOException(reason, e);
    }
  }

  private static String reason(Throwable failure) {
    var cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return String.valueOf(cause.getMessage());
  }

  private Behavior<Command> onJob(PartitionNotice notice) {
    switch (notice) {
      case PartitionNotice.Gone(var id, var actor) -> onGone(id, actor);
      case PartitionNotice.Born(var child) -> born(child);
      case PartitionNotice.Forward(var message) -> deliver(message);
      case PartitionNotice.Crashed(var id, var actor, var cause) -> onCrashed(id, actor, cause);
    }
    return this;
  }

  private void onGone(JobId id, ActorRef<Job.Command> actor) {
    if (jobs.remove(id, actor)) {
      keys.release(id);
      crashes.forget(id);
    }
    actor.tell(Job.Retire.INSTANCE);
  }

  private void born(JobState child) {
    if (!jobs.containsKey(child.id())) {
      spawn(child.id(), new Job.Live(child));
    }
  }

  /// The actor is made anew from what the ledger holds once everything that it had appended is
  /// written.
  private void onCrashed(JobId id, ActorRef<Job.Command> actor, String cause) {
    if (actor.equals(jobs.get(id))) {
      crashes.failed(id, cause);
      waiting.open(id);
      askLedger(new AskLedger(id, true));
    }
  }

  private Behavior<Command> askLedger(AskLedger ask) {
    var sender = new ToPartition(ask, getContext().getSelf());
    ledger.tell(new Ledger.Append(ask.job().value(), List.of(), List.of(), List.of(), sender));
    return this;
  }

  private Behavior<Command> onStateFound(AskLedger asked, Ledger.Reply reply) {
    switch (reply) {
      case Ledger.Committed(JobState job, var others) when asked.crashed() -> onCrashedAlive(job);
      case Ledger.Committed(JobState job, var others) -> onChildFound(job);
      case Ledger.Committed over -> onCrashedGone(asked.job());
      case Ledger.Unavailable(var reason, var retryAfter) ->
          getContext().scheduleOnce(retryAfter, getContext().getSelf(), asked);
      case Ledger.Refused never -> {}
    }
    return this;
  }

  /// It was never accepted, or has ended.
  private void onCrashedGone(JobId id) {
    jobs.remove(id);
    keys.release(id);
    crashes.forget(id);
    goOn(id);
  }

  private void onCrashedAlive(JobState job) {
    switch (crashes.judge(job)) {
      case AGAIN -> revive(job);
      case GIVE_UP -> giveUp(revive(job), crashes.error(job.id()));
      case LEAVE -> getContext().getLog().error(crashes.leftBecause(job.id()));
    }
    goOn(job.id());
  }

  /// A child that was accepted while the actor failed has none yet.
  private ActorRef<Job.Command> revive(JobState job) {
    job.trail().children().stream()
        .filter(child -> !jobs.containsKey(child.id()))
        .forEach(child -> askForChild(child.id()));
    return spawn(job.id(), new Job.Live(job));
  }

  private void askForChild(JobId id) {
    waiting.open(id);
    askLedger(new AskLedger(id, false));
  }

  private void onChildFound(JobState child) {
    born(child);
    goOn(child.id());
  }

  private void giveUp(ActorRef<Job.Command> job, JobError error) {
    var ignored = getContext().getSystem().<JobReply>ignoreRef();
    job.tell(new Job.Do(new JobCommand.GiveUp(error), ignored));
  }

  private void goOn(JobId id) {
    waiting.close(id).forEach(command -> deliver(new ForJob(id, command)));
  }

  private ActorRef<Job.Command> spawn(JobId id, Job.Start start) {
    var actor = getContext().spawnAnonymous(unborn);
    actor.tell(start);
    jobs.put(id, actor);
    return actor;
  }

  private Behavior<Command> onList(ListLive list) {
    getContext()
        .spawnAnonymous(
            LiveList.create(number, list.query(), ledger, environment.clock(), list.replyTo()));
    return this;
  }
}
