package dev.handoff.job;

import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.Fact;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.Ulid;
import dev.handoff.ledger.WireMessage;
import dev.handoff.store.HistoryRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// One live job. Carries its [JobState]: asks it what a command leads to, has the ledger write the facts, and does what
/// follows from them once they are durable.
///
/// ```
/// writing(Submitted) ──durable──▶ idle ──command with facts──▶ writing ──durable──▶ idle
///                                   └─ the last fact ends the job ──▶ over: answers until the partition retires it
/// ```
///
/// At most one append is under way; what arrives meanwhile waits in a bounded stash. The fields are mutable because
/// there are a million of these: no behaviour, timer, stash or list of its own until a job needs one.
public final class Job extends AbstractMatchingBehavior<Job.Command> {

  /// Messages accepted by a job.
  public sealed interface Command {}

  /// What only the engine's own actors send, and nobody waits to have answered.
  sealed interface Internal extends Command {}

  /// An order, or a report of its attempt. Answered in every state, once what follows from it is durable.
  public record Do(JobCommand command, ActorRef<JobReply> replyTo) implements Command, WireMessage {}

  /// Offers an idle worker. The job's mailbox decides between this and a cancel.
  public record Claim(Credit credit) implements Command, WireMessage {}

  /// The worker has not started the attempt of this credit: send the order again.
  public record RunAgain(long credit) implements Internal, WireMessage {}

  /// Where the worker of the attempt under way is found.
  public record Restore(Credit credit) implements Internal, WireMessage {}

  /// A job that the running attempt submits.
  public record AddChild(int attempt, JobSpec spec, ActorRef<JobReply> replyTo) implements Command, WireMessage {}

  /// A submission has this job's key: is it the same?
  public record SameKey(JobSpec spec, ActorRef<SubmitReply> replyTo) implements Command, WireMessage {}

  /// What is the state? Answered with [JobReply.Done] at once.
  public record Get(ActorRef<JobReply> replyTo) implements Command, WireMessage {}

  /// Answered with [JobReply.Done] when the job has ended.
  public record Watch(ActorRef<JobReply> replyTo) implements Command, WireMessage {}

  /// Nothing will be sent to this job any more.
  public enum Retire implements Internal, NoSerializationVerificationNeeded {
    INSTANCE
  }

  private record LedgerAnswered(Ledger.Reply reply) implements Internal, NoSerializationVerificationNeeded {}

  private record StopUnanswered(int attempt) implements Internal, NoSerializationVerificationNeeded {}

  private record ChildAnswered(JobReply reply) implements Internal, NoSerializationVerificationNeeded {}

  private enum ReportDue implements Internal, NoSerializationVerificationNeeded {
    INSTANCE
  }

  private record ToJob(ActorRef<Command> job) implements Ledger.Sender {
    @Override
    public void tell(Ledger.Reply reply) {
      job.tell(new LedgerAnswered(reply));
    }
  }

  /// A job that is being submitted.
  ///
  /// @param held whether it waits for its plan
  public static Behavior<Command> submitted(
      JobId id, JobSpec spec, boolean held, ActorRef<SubmitReply> replyTo, JobEnvironment environment) {
    return Behaviors.setup(
        context -> {
          var fact = new JobFact.Submitted(spec, environment.now(), held);
          var job = new Job(context, environment, JobState.create(id, fact));
          job.write(List.of(fact), Verdict.DONE, new Asker.Submitter(replyTo));
          return job;
        });
  }

  /// A job that was live before: after a restart, after its actor failed, or born as a child with a fact of its parent.
  public static Behavior<Command> live(JobState state, JobEnvironment environment) {
    return Behaviors.setup(
        context -> {
          var job = new Job(context, environment, state);
          job.accepted = true;
          job.announce();
          return job;
        });
  }

  /// A job of history that is being opened again.
  public static Behavior<Command> reopened(
      JobState ended, String by, ActorRef<JobReply> replyTo, JobEnvironment environment) {
    return Behaviors.setup(
        context -> {
          var job = new Job(context, environment, ended);
          job.decide(new JobCommand.Retry(by), new Asker.Caller(replyTo));
          return job;
        });
  }

  private final JobEnvironment environment;
  private JobState state;
  private boolean accepted;
  private @Nullable Pending pending;
  private @Nullable Credit credit;
  private @Nullable Deque<Command> stash;
  private @Nullable List<ActorRef<JobReply>> watchers;
  private @Nullable Cascade cascade;

  private Job(ActorContext<Command> context, JobEnvironment environment, JobState state) {
    super(context);
    this.environment = environment;
    this.state = state;
  }

  /// Facts that are being written, and who waits for it.
  private record Pending(List<JobFact> facts, Verdict verdict, Asker asker, @Nullable Credit offered) {}

  @Override
  public Behavior<Command> onMessage(Command message) {
    try {
      return handle(message);
    } catch (RuntimeException e) {
      getContext().getLog().error("job [{}] failed on [{}]", state.id(), message.getClass().getSimpleName(), e);
      environment.partition().tell(new PartitionNotice.Crashed(state.id(), String.valueOf(e)));
      return Behaviors.stopped();
    }
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  private Behavior<Command> handle(Command message) {
    return switch (message) {
      case LedgerAnswered(var reply) -> onLedger(reply);
      case Get(var replyTo) -> answer(replyTo, new JobReply.Done(state));
      case Watch(var replyTo) -> onWatch(replyTo);
      case Restore(var found) -> onRestore(found);
      case RunAgain(long number) -> onRunAgain(number);
      case Retire retire -> Behaviors.stopped();
      case Do later when pending != null -> later(later);
      case Claim later when pending != null -> later(later);
      case AddChild later when pending != null -> later(later);
      case SameKey later when pending != null -> later(later);
      case StopUnanswered later when pending != null -> later(later);
      case ChildAnswered later when pending != null -> later(later);
      case ReportDue later when pending != null -> later(later);
      case Do retry when state.ended() && accepted && retry.command() instanceof JobCommand.Retry -> passOn(retry);
      case Do(var command, var replyTo) -> decide(command, Asker.of(command, replyTo));
      case Claim(var offered) -> onClaim(offered);
      case AddChild child -> onAddChild(child);
      case SameKey(var spec, var replyTo) -> onSameKey(spec, replyTo);
      case StopUnanswered(int attempt) -> onStopUnanswered(attempt);
      case ChildAnswered(var reply) -> onChildAnswered(reply);
      case ReportDue due -> onReportDue();
    };
  }

  private Behavior<Command> decide(JobCommand command, Asker asker) {
    var decision = state.decide(command, environment.now(), ThreadLocalRandom.current());
    if (decision.facts().isEmpty()) {
      asker.decided(decision.verdict(), state);
    } else if (command instanceof JobCommand.Started) {
      note(decision, asker);
    } else {
      write(decision.facts(), decision.verdict(), asker);
    }
    return this;
  }

  /// Nothing waits for a start to be durable, so the job does not either: it is written in order, like everything else,
  /// and a restart that does not find it loses the attempt all the same.
  private void note(Decision decision, Asker asker) {
    append(decision.facts(), List.of(), unheard -> {});
    decision.facts().forEach(fact -> state = state.apply(fact));
    asker.decided(decision.verdict(), state);
  }

  private void write(List<JobFact> facts, Verdict verdict, Asker asker) {
    write(facts, List.of(), new Pending(facts, verdict, asker, null));
  }

  private void write(List<JobFact> facts, List<Fact> along, Pending next) {
    append(facts, along, new ToJob(self()));
    pending = next;
  }

  private void append(List<JobFact> facts, List<Fact> along, Ledger.Sender sender) {
    var encoded = new ArrayList<Fact>(facts.size() + along.size());
    var after = state;
    boolean reopened = false;
    for (var fact : facts) {
      encoded.add(environment.codec().encode(state.id(), fact));
      after = endsOrOpens(fact) ? after.apply(fact) : after;
      reopened |= fact instanceof JobFact.Reopened;
    }
    encoded.addAll(along);
    var id = state.id().value();
    List<HistoryRow> ended = after.ended() && !state.ended() ? List.of(Archive.row(after, environment.codec())) : List.of();
    environment.ledger().tell(new Ledger.Append(id, encoded, ended, reopened ? List.of(id) : List.of(), sender));
  }

  private static boolean endsOrOpens(JobFact fact) {
    return fact instanceof JobFact.Succeeded
        || fact instanceof JobFact.Failed
        || fact instanceof JobFact.Cancelled
        || fact instanceof JobFact.Reopened;
  }

  private Behavior<Command> onLedger(Ledger.Reply reply) {
    var written = pending;
    pending = null;
    switch (reply) {
      case Ledger.Committed(var after, var others) -> committed(written, (JobState) after, others);
      case Ledger.Refused(var reason) -> refused(written, reason);
      case Ledger.Unavailable(var reason, var retryAfter) -> unavailable(written, reason, retryAfter);
    }
    return isAccepted() ? unstash() : leave();
  }

  private void committed(Pending written, JobState after, List<EntityState> others) {
    var before = state;
    state = after;
    accepted = true;
    written.facts().forEach(fact -> follow(fact, before, written.offered()));
    others.forEach(child -> environment.partition().tell(new PartitionNotice.Born((JobState) child)));
    written.asker().decided(written.verdict(), state);
    settle();
  }

  /// What a durable fact sets in motion.
  private void follow(JobFact fact, JobState before, @Nullable Credit offered) {
    switch (fact) {
      case JobFact.Submitted submitted -> Outbox.ready(state, environment, self());
      case JobFact.Released released -> Outbox.ready(state, environment, self());
      case JobFact.Reopened opened -> Outbox.ready(state, environment, self());
      case JobFact.Claimed claimed -> taken(offered);
      case JobFact.Returned returned -> freedAndReady();
      case JobFact.RetryScheduled again -> freedAndReady();
      case JobFact.StopRequested stop -> stop();
      case JobFact.CancelRequested(var request) -> stopAll(request);
      case JobFact.AttemptStopped stopped -> freed();
      case JobFact.Succeeded over -> over(before);
      case JobFact.Failed over -> over(before);
      case JobFact.Cancelled over -> over(before);
      case JobFact.Started silent -> {}
      case JobFact.Checkpointed silent -> {}
      case JobFact.Noted silent -> {}
      case JobFact.ChildAdded silent -> {}
      case JobFact.LateReport silent -> {}
    }
  }

  /// Tells the dispatcher, and a cascade that was under way, where a job stands that has just got its actor.
  private void announce() {
    switch (state.phase()) {
      case Phase.Pending pending -> Outbox.ready(state, environment, self());
      case Phase.Claimed(var by, var at) -> Outbox.underway(state, by, environment, self());
      case Phase.Running(var by, var claimedAt, var startedAt) -> Outbox.underway(state, by, environment, self());
      case Phase.Stopping stopping -> resume(stopping);
      case Phase.Waiting waiting -> {}
      case Phase.Ended over -> {}
    }
  }

  private void resume(Phase.Stopping stopping) {
    if (stopping.attempt() != null) {
      Outbox.underway(state, stopping.attempt().by(), environment, self());
    }
    if (stopping.request() != null) {
      stopAll(stopping.request());
    }
  }

  private void taken(Credit used) {
    credit = used;
    Outbox.taken(state, used, environment, self());
    Outbox.run(state, used, self());
  }

  private void freed() {
    credit = null;
    Outbox.freed(state, environment);
  }

  private void freedAndReady() {
    freed();
    Outbox.ready(state, environment, self());
  }

  private void over(JobState before) {
    Outbox.over(before, state, environment);
    if (watchers != null) {
      watchers.forEach(watcher -> watcher.tell(new JobReply.Done(state)));
      watchers = null;
    }
  }

  /// Sends the order to stop, and again until the attempt's end is reported.
  private void stop() {
    if (credit != null && state.phase() instanceof Phase.Stopping stopping && stopping.attempt() != null) {
      Outbox.stop(state, credit, stopping, self());
    }
    getContext()
        .scheduleOnce(environment.settings().repeat(), self(), new StopUnanswered(state.attempt()));
  }

  private void stopAll(Phase.CancelRequest request) {
    stop();
    if (!state.trail().children().isEmpty()) {
      var answers = getContext().messageAdapter(JobReply.class, ChildAnswered::new);
      cascade = new Cascade(environment, answers, state, request);
      cascade.tell();
      var settings = environment.settings();
      getContext()
          .scheduleOnce(settings.abandon().plus(settings.report()), self(), ReportDue.INSTANCE);
    }
  }

  private Behavior<Command> onStopUnanswered(int attempt) {
    if (!(state.phase() instanceof Phase.Stopping) || attempt != state.attempt()) {
      return this;
    }
    stop();
    if (cascade != null) {
      cascade.tell();
    }
    return this;
  }

  private Behavior<Command> onChildAnswered(JobReply reply) {
    if (cascade != null) {
      cascade.answered(reply);
      settle();
    }
    return this;
  }

  private Behavior<Command> onReportDue() {
    if (cascade != null) {
      cascade.giveUp();
      settle();
    }
    return this;
  }

  /// Ends a cancelled parent once neither its own attempt nor a child is left to wait for.
  private void settle() {
    if (pending == null && cascade != null && cascade.isSettled() && state.underway().isEmpty() && !state.ended()) {
      decide(new JobCommand.SettleChildren(cascade.unanswered()), Asker.Nobody.INSTANCE);
    }
  }

  private Behavior<Command> onClaim(Credit offered) {
    var decision =
        state.decide(new JobCommand.Claim(offered.claimant()), environment.now(), ThreadLocalRandom.current());
    if (decision.facts().isEmpty()) {
      environment.dispatcher().tell(new JobNotice.Declined(state.id(), offered));
    } else {
      write(
          decision.facts(),
          List.of(),
          new Pending(decision.facts(), decision.verdict(), Asker.Nobody.INSTANCE, offered));
    }
    return this;
  }

  private Behavior<Command> onAddChild(AddChild order) {
    var id = new JobId(new Ulid(ThreadLocalRandom.current()).next(environment.now().toEpochMilli(), state.id().partition()));
    var spec = order.spec().childOf(state.id());
    var child = new Child(id, spec.key(), spec.fingerprint());
    var decision =
        state.decide(new JobCommand.AddChild(order.attempt(), child), environment.now(), ThreadLocalRandom.current());
    var known = state.trail().childWithKey(spec.key());
    var asker = new Asker.Parent(id, known == null ? null : known.id(), order.replyTo());
    if (decision.facts().isEmpty()) {
      asker.decided(decision.verdict(), state);
    } else {
      var submitted = environment.codec().encode(id, new JobFact.Submitted(spec, environment.now(), false));
      write(decision.facts(), List.of(submitted), new Pending(decision.facts(), decision.verdict(), asker, null));
    }
    return this;
  }

  private Behavior<Command> onSameKey(JobSpec spec, ActorRef<SubmitReply> replyTo) {
    replyTo.tell(
        state.spec().equals(spec)
            ? new SubmitReply.Existing(state.id())
            : new SubmitReply.KeyConflict(state.id(), String.valueOf(spec.key())));
    return this;
  }

  /// Opening an ended job again is up to the partition, which has heard by then that it is gone.
  private Behavior<Command> passOn(Do retry) {
    environment.partition().tell(new PartitionNotice.Forward(new ForJob(state.id(), retry)));
    return this;
  }

  private Behavior<Command> onWatch(ActorRef<JobReply> replyTo) {
    if (state.ended()) {
      return answer(replyTo, new JobReply.Done(state));
    }
    watchers = watchers == null ? new ArrayList<>(1) : watchers;
    watchers.add(replyTo);
    return this;
  }

  private Behavior<Command> onRunAgain(long number) {
    if (pending == null && isCredit(number) && state.phase() instanceof Phase.Claimed) {
      Outbox.run(state, credit, self());
    }
    return this;
  }

  private Behavior<Command> onRestore(Credit found) {
    credit = found;
    switch (state.phase()) {
      case Phase.Claimed again -> Outbox.run(state, found, self());
      case Phase.Stopping again -> stop();
      case Phase.Running running -> {}
      case Phase.Idle late -> credit = null;
      case Phase.Ended late -> credit = null;
    }
    return this;
  }

  private boolean isCredit(long number) {
    return credit != null && credit.number() == number;
  }

  private void refused(Pending written, String reason) {
    var fact = written.facts().getFirst();
    if (fact instanceof JobFact.Succeeded(int attempt, var result, var notes, var at)) {
      var error = JobError.of("not-storable", "its result cannot be stored: " + reason);
      decide(new JobCommand.Report(attempt, new AttemptReport.Threw(error), Notes.NONE), written.asker());
      return;
    }
    giveBack(written);
    written.asker().refused(state.id(), reason);
  }

  private void unavailable(Pending written, String reason, Duration retryAfter) {
    giveBack(written);
    written.asker().unavailable(state.id(), reason, retryAfter);
  }

  /// A claim that was not written: the worker is free again, and the job still wants one.
  private void giveBack(Pending written) {
    if (written.offered() != null) {
      environment.dispatcher().tell(new JobNotice.Declined(state.id(), written.offered()));
      Outbox.ready(state, environment, self());
    }
  }

  /// Whether the job exists: its first fact is durable.
  private boolean isAccepted() {
    return accepted || pending != null;
  }

  /// A submission that was not accepted, or a retry of what stays in history: answers until it is retired.
  private Behavior<Command> leave() {
    environment.partition().tell(new PartitionNotice.Gone(state.id()));
    if (stash != null) {
      stash.forEach(this::unknown);
    }
    return Behaviors.receiveMessage(
        message -> {
          unknown(message);
          return message == Retire.INSTANCE ? Behaviors.stopped() : Behaviors.same();
        });
  }

  private void unknown(Command message) {
    var reply = state.ended() ? new JobReply.AlreadyFinished(state) : new JobReply.NotFound(state.id());
    var retry = new SubmitReply.Unavailable("the job with this key was not accepted", environment.settings().repeat());
    Outbox.turnAway(message, reply, retry, state.id(), environment);
  }

  private void busy(Command message) {
    var reason = "too many messages wait for job " + state.id();
    var retryAfter = environment.settings().repeat();
    Outbox.turnAway(
        message,
        new JobReply.Unavailable(state.id(), reason, retryAfter),
        new SubmitReply.Unavailable(reason, retryAfter),
        state.id(),
        environment);
  }

  private Behavior<Command> later(Command message) {
    stash = stash == null ? new ArrayDeque<>(4) : stash;
    if (stash.size() < environment.settings().stash()) {
      stash.add(message);
    } else {
      busy(message);
    }
    return this;
  }

  private Behavior<Command> unstash() {
    while (pending == null && stash != null && !stash.isEmpty()) {
      handle(stash.poll());
    }
    stash = stash == null || stash.isEmpty() ? null : stash;
    return this;
  }

  private ActorRef<Command> self() {
    return getContext().getSelf();
  }

  private static <T> Behavior<Command> answer(ActorRef<T> replyTo, T reply) {
    replyTo.tell(reply);
    return Behaviors.same();
  }
}
