package dev.handoff.internal.job;

import dev.handoff.internal.actor.MemoryReserve;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.Ledger;
import java.util.List;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Write-ahead protocol of a job: at most one append is in flight, messages wait meanwhile, and no
/// consequence of a fact precedes its durability.
///
/// ```
/// idle ──ask for a worker──▶ asking ──Claim, NoWorker──▶ pending
/// idle ──write──▶ pending ──Committed────────────▶ idle, and stashed messages are handled
///                    ├─────Refused, Unavailable──▶ idle; or retired, if it was the first fact
///                    └─────a failure────────────▶ crashed: requesters learn that the outcome is unknown
/// ```
///
/// While the job asks for a worker, the facts are already pending: all other messages wait, as
/// during a write.
///
/// The fields are mutable because a partition has up to a million jobs: a job gets a behavior,
/// stash or list of its own only on need.
abstract class WriteAhead extends AbstractMatchingBehavior<Job.Command> {

  final JobEnvironment environment;
  private JobState state;
  private boolean accepted;
  private boolean asking;
  private @Nullable PendingAppend pending;
  private @Nullable JobStash stash;

  /// @param accepted whether the job's first fact is durable
  WriteAhead(
      ActorContext<Job.Command> context,
      JobEnvironment environment,
      JobState state,
      boolean accepted) {
    super(context);
    this.environment = environment;
    this.state = state;
    this.accepted = accepted;
  }

  /// Handles a message now.
  ///
  /// @return this behavior, unless the actor stops
  abstract Behavior<Job.Command> handle(Job.Command message);

  /// Answers the requesters of durable facts. The state includes the facts; they stay pending until
  /// this returns.
  abstract void answer(PendingAppend written, List<EntityState> others);

  /// Sends the consequences of durable facts.
  abstract void committed(PendingAppend written, JobState before);

  /// Handles facts that the store refused.
  abstract void refused(PendingAppend written, String reason);

  /// Answers the failed actor's long-term requesters, such as watchers.
  abstract void abandon(JobRefusal refusal);

  @Override
  public final Behavior<Job.Command> onMessage(Job.Command message) {
    try {
      return handle(message);
    } catch (Throwable failure) {
      return crash(failure, message);
    }
  }

  @Override
  public final Behavior<Job.Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  /// Runs the actor's first action. A failure before any append in flight is thrown to the actor's
  /// creator, who alone knows the requester.
  final Behavior<Job.Command> begin(Runnable first) {
    try {
      first.run();
      return isGone() ? depart() : this;
    } catch (Throwable failure) {
      if (isGone()) {
        throw failure;
      }
      return crash(failure, null);
    }
  }

  final JobState state() {
    return state;
  }

  final boolean isWriting() {
    return pending != null;
  }

  /// Whether this credit's claim is in flight.
  final boolean isWriting(WorkerCredit claim) {
    return pending != null && claim.equals(pending.credit());
  }

  /// Whether the visible state of the job is durable.
  final boolean isDurable() {
    return accepted || state.ended();
  }

  final ActorRef<Job.Command> self() {
    return getContext().getSelf();
  }

  /// Appends the facts. Invalid while another append is in flight.
  final void write(PendingAppend next) {
    try {
      var sender = new ToJob(self());
      environment
          .ledger()
          .tell(JobAppend.of(state, next.facts(), next.newChild(), environment, sender));
      pending = next;
    } catch (IllegalArgumentException notEncodable) {
      pending = null;
      refused(next, String.valueOf(notEncodable.getMessage()));
    }
  }

  /// Appends facts that make the job ready, with the claim if a worker is at hand: one commit
  /// instead of two. Other messages wait until the dispatcher answers, as during a write.
  final void writeWithClaim(PendingAppend next) {
    var ready = next.after(state);
    if (ready.isDue(environment.now())) {
      pending = next;
      asking = true;
      JobMessages.aboutToBeReady(ready, environment, self());
    } else {
      write(next);
    }
  }

  /// Whether the job waits for the dispatcher's answer.
  final boolean isAsking() {
    return asking;
  }

  /// Facts to append after the dispatcher's answer.
  final PendingAppend asked() {
    return Objects.requireNonNull(pending);
  }

  final Behavior<Job.Command> writeAsked(PendingAppend next) {
    asking = false;
    write(next);
    return isGone() ? depart() : unstash();
  }

  /// Appends facts without a requester: the state changes at once.
  final void note(List<JobFact> facts) {
    environment.ledger().tell(JobAppend.of(state, facts, null, environment, unheard -> {}));
    facts.forEach(fact -> state = state.apply(fact));
  }

  final Behavior<Job.Command> onLedger(Ledger.Reply reply) {
    var written = pending;
    switch (reply) {
      case Ledger.Committed(var after, var others) -> onCommitted((JobState) after, others);
      case Ledger.Refused(var reason) -> {
        pending = null;
        refused(written, reason);
      }
      case Ledger.Unavailable(var reason, var retryAfter) -> {
        written.requester().unavailable(state, reason, retryAfter);
        pending = null;
      }
    }
    return isGone() ? depart() : unstash();
  }

  private void onCommitted(JobState after, List<EntityState> others) {
    var written = pending;
    var before = state;
    state = Objects.requireNonNull(after);
    accepted = true;
    answer(written, others);
    pending = null;
    committed(written, before);
  }

  /// Stashes a message during an append; refuses it if the stash is full.
  final Behavior<Job.Command> later(Job.Command message) {
    stash = stash == null ? new JobStash() : stash;
    if (!stash.add(message, environment.settings().stash())) {
      crowded().tell(message);
    }
    return this;
  }

  final JobRefusal crowded() {
    var reason = "too many messages wait for job " + state.id();
    return JobRefusal.unavailable(state.id(), reason, environment.settings().repeat());
  }

  private Behavior<Job.Command> unstash() {
    while (pending == null && stash != null) {
      var next = stash.poll();
      if (next == null) {
        stash = null;
      } else {
        var after = onMessage(next);
        if (after != this) {
          return after;
        }
      }
    }
    return this;
  }

  /// Whether the job turned out not to exist as a live job.
  private boolean isGone() {
    return !accepted && pending == null;
  }

  private Behavior<Job.Command> depart() {
    environment.partition().tell(new PartitionNotice.Gone(state.id(), self()));
    var retired = new RetiredJob(getContext(), state, environment);
    if (stash != null) {
      stash.drain(retired::onMessage);
    }
    return retired;
  }

  /// The outcome of the append in flight is unknown: requesters are told so, and an offered worker
  /// is not given back.
  private Behavior<Job.Command> crash(Throwable failure, Job.@Nullable Command failedAt) {
    MemoryReserve.giveBackAfter(failure);
    var failedJob = new FailedJob(state.id(), self(), environment, this::tellWaiting);
    return failedJob.because(failure, failedAt, getContext());
  }

  private void tellWaiting(FailedJob failed, String cause) {
    if (pending != null) {
      pending.requester().unknown(state, cause, environment.settings().repeat());
    }
    abandon(failed.refusal(cause));
    if (stash != null) {
      stash.forEach(message -> failed.turnAway(message, cause));
    }
  }

  private record ToJob(ActorRef<Job.Command> job) implements Ledger.Sender {
    @Override
    public void tell(Ledger.Reply reply) {
      job.tell(new Job.LedgerAnswered(reply));
    }
  }
}
