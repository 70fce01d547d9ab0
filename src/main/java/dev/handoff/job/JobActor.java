package dev.handoff.job;

import dev.handoff.ledger.EntityState;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Carries a [JobState]: asks it what a command leads to, has the facts written, and does what
/// follows from them once they are durable.
///
/// ```
/// [asking ─▶] writing(Submitted) ──durable──▶ idle ──command with facts──▶ writing ──durable──▶ idle
///                │                          └─ the last fact ends the job ──▶ over: answers until the partition retires it
///                └──refused──▶ [Departed]
/// ```
final class JobActor extends WriteAhead {

  /// With which the last attempt was claimed; null if that is not known.
  private @Nullable Credit credit;

  private @Nullable Watchers<JobReply> watchers;
  private @Nullable Ending ending;

  JobActor(
      ActorContext<Job.Command> context,
      JobEnvironment environment,
      JobState state,
      boolean accepted) {
    super(context, environment, state, accepted);
  }

  /// Writes the first fact of a job that is being submitted.
  ///
  /// @param atHand whether to ask for a worker first
  void submit(JobFact.Submitted submitted, boolean atHand, ActorRef<SubmitReply> replyTo) {
    var first = new Pending(null, Decision.done(submitted), new Asker.Submitter(replyTo));
    if (atHand) {
      writeWithClaim(first);
    } else {
      write(first);
    }
  }

  /// Writes the first fact of a job that is being opened again.
  void reopen(JobCommand.Retry retry, ActorRef<JobReply> replyTo) {
    decide(retry, new Asker.Caller(environment.clock(), replyTo));
  }

  /// Tells the dispatcher, and a cascade that was under way, where a job stands that has just got
  /// its actor.
  void announce() {
    Outbox.standing(state(), environment, self());
    if (state().phase() instanceof Phase.Stopping(var cause, var since, var run, var request)
        && request != null) {
      ending().stopAll(state(), credit, request);
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
      case Job.Get(var replyTo) -> answer(replyTo, new JobReply.Done(state()));
      case Job.Watch(var replyTo) -> onWatch(replyTo);
      case Job.Asked later when isWriting() -> later(later);
      case Job.Claim(var again) when isWriting(again) -> this;
      case Job.Claim later when isWriting() -> later(later);
      case Job.Do(JobCommand.Retry retry, var replyTo) when state().ended() -> passOn(message);
      case Job.Do(var command, var replyTo) ->
          decide(command, Asker.of(command, replyTo, environment.clock()));
      case Job.Claim(var offered) -> onClaim(offered);
      case Job.AddChild(int attempt, var spec, var replyTo) -> onAddChild(attempt, spec, replyTo);
      case Job.SameKey(var spec, var replyTo) -> answer(replyTo, Archived.sameKey(state(), spec));
    };
  }

  private Behavior<Job.Command> decide(JobCommand command, Asker asker) {
    var decision = state().decide(command, environment.now(), ThreadLocalRandom.current());
    if (decision.facts().isEmpty()) {
      asker.decided(decision.verdict(), state());
    } else if (command instanceof JobCommand.Started) {
      started(decision, asker);
    } else if (command instanceof JobCommand.Release) {
      writeWithClaim(new Pending(command, decision, asker));
    } else {
      write(new Pending(command, decision, asker));
    }
    return this;
  }

  /// Nothing waits for a start to be durable, so the job does not either: it is written in order,
  /// like everything else, and a restart that does not find it loses the attempt all the same.
  private void started(Decision decision, Asker asker) {
    note(decision.facts());
    asker.decided(decision.verdict(), state());
  }

  /// A child has its actor before its parent's attempt can send it anything.
  @Override
  void answer(Pending written, List<EntityState> others) {
    others.forEach(this::born);
    written.asker().decided(written.verdict(), state());
  }

  @Override
  void committed(Pending written, JobState before) {
    written.facts().forEach(fact -> follow(fact, before, written));
    settle();
  }

  private void born(EntityState other) {
    if (other instanceof JobState child) {
      environment.partition().tell(new PartitionNotice.Born(child));
    }
  }

  /// The end of an attempt is recorded even if what the attempt had to say cannot be.
  @Override
  void refused(Pending written, String reason) {
    written
        .storable(reason)
        .ifPresentOrElse(
            less -> decide(less, written.asker()), () -> written.asker().refused(state(), reason));
  }

  /// Whoever waits for the end asks again, and is not known to the next actor until then.
  @Override
  void abandon(Refusal refusal) {
    if (watchers != null) {
      watchers.tell(refusal.reply());
    }
  }

  /// What a durable fact sets in motion.
  private void follow(JobFact fact, JobState before, Pending written) {
    switch (fact) {
      case JobFact.Submitted submitted -> Outbox.ready(state(), environment, self());
      case JobFact.Released released -> Outbox.ready(state(), environment, self());
      case JobFact.Reopened opened -> Outbox.ready(state(), environment, self());
      case JobFact.Claimed claimed -> credit = written.credit();
      case JobFact.Returned returned -> freed();
      case JobFact.Postponed later -> freed();
      case JobFact.RetryScheduled(var end, var due) -> again(end, due);
      case JobFact.AttemptStopped stopped -> freed();
      case JobFact.StopRequested stop -> ending().stop(state(), credit);
      case JobFact.CancelRequested(var request) -> cancelled(before, request);
      case JobFact.Succeeded over -> over(before);
      case JobFact.Failed(var end) -> failed(before, end, written.command());
      case JobFact.Cancelled over -> over(before);
      case JobFact.Started silent -> {}
      case JobFact.Checkpointed silent -> {}
      case JobFact.Noted silent -> {}
      case JobFact.ChildAdded silent -> {}
      case JobFact.LateReport silent -> {}
    }
  }

  private void freed() {
    Outbox.freed(state(), environment);
    Outbox.ready(state(), environment, self());
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

  private void cancelled(JobState before, Phase.CancelRequest request) {
    Outbox.withdrawn(before, environment, self());
    ending().stopAll(state(), credit, request);
  }

  private void over(JobState before) {
    Outbox.over(before, state(), environment, self());
    if (watchers != null) {
      watchers.tell(new JobReply.Done(state()));
      watchers = null;
    }
  }

  private Behavior<Job.Command> onStopNews(Job.StopNews news) {
    ending().hear(news, state(), credit);
    settle();
    return this;
  }

  /// Ends a cancelled parent once neither its own attempt nor a child is left to wait for.
  private void settle() {
    if (!isWriting() && ending != null) {
      ending.conclusion(state()).ifPresent(command -> decide(command, Asker.Nobody.INSTANCE));
    }
  }

  private Ending ending() {
    ending = ending == null ? new Ending(getContext(), environment) : ending;
    return ending;
  }

  /// A worker is at hand: the claim is written with what makes the job ready.
  private Behavior<Job.Command> onAtHand(Credit offered) {
    var ready = asked().after(state());
    var claim = new JobCommand.Claim(offered.claimant());
    var decision = ready.decide(claim, environment.now(), ThreadLocalRandom.current());
    if (decision.facts().isEmpty()) {
      Outbox.declined(state(), offered, environment);
      return writeAsked(asked());
    }
    return writeAsked(asked().with(decision, new Asker.Offer(offered, environment, self())));
  }

  /// A credit is used once: an offer that is repeated has the same answer as before, even if the
  /// attempt is over by now.
  private Behavior<Job.Command> onClaim(Credit offered) {
    if (offered.equals(credit)) {
      Outbox.taken(state(), offered, environment, self());
      return this;
    }
    return decide(
        new JobCommand.Claim(offered.claimant()), new Asker.Offer(offered, environment, self()));
  }

  private Behavior<Job.Command> onAddChild(int attempt, JobSpec spec, ActorRef<JobReply> replyTo) {
    var birth = Birth.of(spec, state().id(), environment.now());
    var known = state().trail().childWithKey(spec.key());
    var asker = new Asker.Parent(birth, known == null ? null : known.id(), replyTo);
    return decide(new JobCommand.AddChild(attempt, birth.child()), asker);
  }

  /// Opening an ended job again is up to the partition, which has heard by then that it is gone.
  private Behavior<Job.Command> passOn(Job.Command retry) {
    environment.partition().tell(new PartitionNotice.Forward(new ForJob(state().id(), retry)));
    return this;
  }

  private Behavior<Job.Command> onWatch(ActorRef<JobReply> replyTo) {
    if (state().ended()) {
      return answer(replyTo, new JobReply.Done(state()));
    }
    watchers = watchers == null ? new Watchers<>() : watchers;
    watchers
        .add(replyTo, environment.now())
        .ifPresent(oldest -> crowded().tell(new Job.Watch(oldest)));
    return this;
  }

  private Behavior<Job.Command> onRunAgain(long number) {
    if (credit != null && credit.number() == number && state().phase() instanceof Phase.Claimed) {
      Outbox.run(state(), credit, self());
    }
    return this;
  }

  private Behavior<Job.Command> onRestore(Credit found) {
    if (state().underway().filter(run -> run.by().equals(found.claimant())).isPresent()) {
      credit = found;
      onRunAgain(found.number());
      if (state().phase() instanceof Phase.Stopping) {
        ending().stop(state(), credit);
      }
    }
    return this;
  }

  private <T> Behavior<Job.Command> answer(ActorRef<T> replyTo, T reply) {
    replyTo.tell(reply);
    return this;
  }
}
