package dev.handoff.internal.job;

import dev.handoff.internal.ledger.EntityState;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Actor of a [JobState]: asks the state what a command leads to, appends the facts, and sends the
/// consequences after they are durable.
///
/// ```
/// [asking ─▶] writing(Submitted) ──durable──▶ idle ──command with facts──▶ writing ──durable──▶ idle
///                │                          └─ last fact ends the job ──▶ over: answers until the partition retires it
///                └──refused──▶ [RetiredJob]
/// ```
final class JobActor extends WriteAhead {

  /// Credit of the last claim; null if unknown.
  private @Nullable WorkerCredit credit;

  private @Nullable JobWatchers<WatchReply> watchers;
  private @Nullable StoppingJob stopping;

  JobActor(
      ActorContext<Job.Command> context,
      JobEnvironment environment,
      JobState state,
      boolean accepted) {
    super(context, environment, state, accepted);
  }

  /// Appends the first fact of a submitted job.
  ///
  /// @param atHand whether to ask for a worker first
  void submit(JobFact.Submitted submitted, boolean atHand, ActorRef<SubmitReply> replyTo) {
    var first =
        new PendingAppend(null, JobDecision.done(submitted), new Requester.Submitter(replyTo));
    if (atHand) {
      writeWithClaim(first);
    } else {
      write(first);
    }
  }

  /// Appends the fact that reopens an ended job.
  void reopen(JobCommand.Retry retry, ActorRef<JobReply> replyTo) {
    decide(retry, new Requester.Caller(environment.clock(), replyTo));
  }

  /// Reports a job with a new actor to the dispatcher, and resumes a cancel of its children.
  void announce() {
    JobMessages.standing(state(), environment, self());
    if (state().phase() instanceof JobPhase.Stopping(var cause, var since, var run, var request)
        && request != null) {
      stopping().stopAll(state(), credit, request);
    }
  }

  @Override
  Behavior<Job.Command> handle(Job.Command message) {
    return switch (message) {
      case Job.LedgerAnswered(var reply) -> onLedger(reply);
      case Job.Restore(var found) -> onRestore(found);
      case Job.RunAgain(long number) -> onRunAgain(number);
      case Job.StopNews news -> onStopNews(news);
      case Job.Retire now -> Behaviors.stopped();
      case Job.Start again -> this;
      case Job.Claim(var offered) when isAsking() -> onAtHand(offered);
      case Job.NoWorker none when isAsking() -> writeAsked(asked());
      case Job.NoWorker late -> this;
      case Job.Asked early when !isDurable() -> later(early);
      case Job.Get(var replyTo) -> answer(replyTo, new StateReply.Found(state()));
      case Job.Watch(var replyTo) -> onWatch(replyTo);
      case Job.Asked later when isWriting() -> later(later);
      case Job.Claim(var again) when isWriting(again) -> this;
      case Job.Claim later when isWriting() -> later(later);
      case Job.Do(JobCommand.Retry retry, var replyTo) when state().ended() -> passOn(message);
      case Job.Do(var command, var replyTo) ->
          decide(command, new Requester.Caller(environment.clock(), replyTo));
      case Job.UpdateAttempt(var command, var replyTo) ->
          decide(command, new Requester.Worker(command.attempt(), replyTo));
      case Job.Claim(var offered) -> onClaim(offered);
      case Job.AddChild(int attempt, var spec, var replyTo) -> onAddChild(attempt, spec, replyTo);
      case Job.SameKey(var spec, var replyTo) ->
          answer(replyTo, EndedJobAnswers.sameKey(state(), spec));
    };
  }

  private Behavior<Job.Command> decide(JobCommand command, Requester requester) {
    var decision = state().decide(command, environment.now(), ThreadLocalRandom.current());
    if (decision.facts().isEmpty()) {
      requester.decided(decision.verdict(), state());
    } else if (command instanceof JobCommand.Started) {
      started(decision, requester);
    } else if (command instanceof JobCommand.Release) {
      writeWithClaim(new PendingAppend(command, decision, requester));
    } else {
      write(new PendingAppend(command, decision, requester));
    }
    return this;
  }

  /// Appends a start without waiting: no requester needs its durability, and a restart loses the
  /// attempt with or without this fact. The append keeps its order among the job's appends.
  private void started(JobDecision decision, Requester requester) {
    note(decision.facts());
    requester.decided(decision.verdict(), state());
  }

  /// A child has an actor before the parent's attempt learns the child's id.
  @Override
  void answer(PendingAppend written, List<EntityState> others) {
    others.forEach(this::born);
    written.requester().decided(written.verdict(), state());
  }

  @Override
  void committed(PendingAppend written, JobState before) {
    written.facts().forEach(fact -> follow(fact, before, written));
    settle();
  }

  private void born(EntityState other) {
    if (other instanceof JobState child) {
      environment.partition().tell(new PartitionNotice.Born(child));
    }
  }

  /// The attempt's end is recorded even if the store refuses its report's content.
  @Override
  void refused(PendingAppend written, String reason) {
    written
        .storable(reason)
        .ifPresentOrElse(
            less -> decide(less, written.requester()),
            () -> written.requester().refused(state(), reason));
  }

  /// Watchers get a refusal and repeat the watch; only then the job's next actor knows them.
  @Override
  void abandon(JobRefusal refusal) {
    if (watchers != null) {
      watchers.tell(refusal.toWatcher());
    }
  }

  /// Sends the consequences of a durable fact.
  private void follow(JobFact fact, JobState before, PendingAppend written) {
    switch (fact) {
      case JobFact.Opening opened -> JobMessages.ready(state(), environment, self());
      case JobFact.Claimed claimed -> startAttempt(written.credit());
      case JobFact.RetryScheduled(var end, var due) -> again(end, due);
      case JobFact.AttemptOver ended -> freed();
      case JobFact.StopRequested stop -> stopping().stop(state(), credit);
      case JobFact.CancelRequested(var request) -> cancelled(before, request);
      case JobFact.Failed(var end) -> failed(before, end, written.command());
      case JobFact.Ending over -> over(before);
      case JobFact.ForRecord silent -> {}
    }
  }

  /// Starts the attempt: the dispatcher hears of the claim, the worker gets its order.
  private void startAttempt(WorkerCredit used) {
    credit = used;
    JobMessages.taken(state(), used, environment, self());
    JobMessages.run(state(), used, self());
  }

  private void freed() {
    JobMessages.freed(state(), environment);
    JobMessages.ready(state(), environment, self());
  }

  private void again(JobFact.AttemptEnd end, Instant due) {
    boolean isOfFormerProcess = credit == null && end.cause() == EndCause.WORKER_LOST;
    environment.settings().failures().again(state(), end, due, isOfFormerProcess);
    freed();
  }

  private void failed(JobState before, JobFact.AttemptEnd end, @Nullable JobCommand ended) {
    environment.settings().failures().forGood(state(), end, ended);
    over(before);
  }

  private void cancelled(JobState before, JobPhase.CancelRequest request) {
    JobMessages.withdrawn(before, environment, self());
    stopping().stopAll(state(), credit, request);
  }

  private void over(JobState before) {
    JobMessages.over(before, state(), environment, self());
    if (watchers != null) {
      watchers.tell(new WatchReply.Ended(state()));
      watchers = null;
    }
  }

  private Behavior<Job.Command> onStopNews(Job.StopNews news) {
    stopping().hear(news, state(), credit);
    settle();
    return this;
  }

  /// Ends a cancelled parent after the end of its attempt and its children.
  private void settle() {
    if (!isWriting() && stopping != null) {
      stopping.conclusion(state()).ifPresent(command -> decide(command, Requester.Nobody.INSTANCE));
    }
  }

  private StoppingJob stopping() {
    stopping = stopping == null ? new StoppingJob(getContext(), environment) : stopping;
    return stopping;
  }

  /// A worker is at hand: one append contains the job's facts and the claim.
  private Behavior<Job.Command> onAtHand(WorkerCredit offered) {
    var ready = asked().after(state());
    var claim = new JobCommand.Claim(offered.claimant());
    var decision = ready.decide(claim, environment.now(), ThreadLocalRandom.current());
    if (decision.facts().isEmpty()) {
      JobMessages.declined(state(), offered, environment);
      return writeAsked(asked());
    }
    return writeAsked(asked().with(decision, new Requester.Offer(offered, environment, self())));
  }

  /// A credit is used once: a repeated offer gets the same answer, even after the attempt's end.
  private Behavior<Job.Command> onClaim(WorkerCredit offered) {
    if (offered.equals(credit)) {
      JobMessages.taken(state(), offered, environment, self());
      return this;
    }
    return decide(
        new JobCommand.Claim(offered.claimant()),
        new Requester.Offer(offered, environment, self()));
  }

  private Behavior<Job.Command> onAddChild(
      int attempt, JobSpec spec, ActorRef<ChildReply> replyTo) {
    var newChild = NewChild.of(spec, state().id(), environment.now());
    var known = state().trail().childWithKey(spec.key());
    var requester = new Requester.Parent(newChild, known == null ? null : known.id(), replyTo);
    return decide(new JobCommand.AddChild(attempt, newChild.child()), requester);
  }

  /// The partition reopens ended jobs. It receives this retry after `Gone`.
  private Behavior<Job.Command> passOn(Job.Command retry) {
    environment.partition().tell(new PartitionNotice.Forward(new JobEnvelope(state().id(), retry)));
    return this;
  }

  private Behavior<Job.Command> onWatch(ActorRef<WatchReply> replyTo) {
    if (state().ended()) {
      return answer(replyTo, new WatchReply.Ended(state()));
    }
    watchers = watchers == null ? new JobWatchers<>() : watchers;
    watchers
        .add(replyTo, environment.now())
        .ifPresent(oldest -> crowded().tell(new Job.Watch(oldest)));
    return this;
  }

  private Behavior<Job.Command> onRunAgain(long number) {
    if (credit != null
        && credit.number() == number
        && state().phase() instanceof JobPhase.Claimed) {
      JobMessages.run(state(), credit, self());
    }
    return this;
  }

  private Behavior<Job.Command> onRestore(WorkerCredit found) {
    if (state().underway().filter(run -> run.by().equals(found.claimant())).isPresent()) {
      credit = found;
      onRunAgain(found.number());
      if (state().phase() instanceof JobPhase.Stopping) {
        stopping().stop(state(), credit);
      }
    }
    return this;
  }

  private <T> Behavior<Job.Command> answer(ActorRef<T> replyTo, T reply) {
    replyTo.tell(reply);
    return this;
  }
}
