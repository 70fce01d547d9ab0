package dev.handoff.job;

import dev.handoff.actor.MemoryReserve;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.Ledger;
import java.util.List;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// A job's way of dealing with its ledger: at most one append is under way, what arrives meanwhile
/// waits, and nothing follows from facts before they are durable.
///
/// ```
/// idle ──ask for a worker──▶ asking ──Claim, NoWorker──▶ pending
/// idle ──write──▶ pending ──Committed────────────▶ idle, and what waited is handled
///                    ├─────Refused, Unavailable──▶ idle; or departed, if it was the first fact
///                    └─────a failure────────────▶ crashed: whoever waits is told that the outcome is open
/// ```
///
/// While the job asks for a worker, the facts are pending already: everything else waits, as for a
/// write.
///
/// The fields are mutable because there are a million of these: no behaviour, stash or list of its
/// own until a job needs one.
abstract class WriteAhead extends AbstractMatchingBehavior<Job.Command> {

  final JobEnvironment environment;
  private JobState state;
  private boolean accepted;
  private boolean asking;
  private @Nullable Pending pending;
  private @Nullable Stash stash;

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
  /// @return this behaviour, unless the actor stops
  abstract Behavior<Job.Command> handle(Job.Command message);

  /// Facts are durable, and the state is what they made of it: whoever waits for them is told. They
  /// are pending until that is done.
  abstract void answer(Pending written, List<EntityState> others);

  /// Does what follows from durable facts.
  abstract void committed(Pending written, JobState before);

  /// Facts cannot be stored.
  abstract void refused(Pending written, String reason);

  /// The actor has failed: whoever waits for more than one reply of it is told.
  abstract void abandon(Refusal refusal);

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

  /// Does the first thing that the actor does. Where that fails before anything is on its way, this
  /// actor knows nobody who waits: whoever has made it does.
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

  /// Whether the claim of this credit is being written.
  final boolean isWriting(Credit claim) {
    return pending != null && claim.equals(pending.credit());
  }

  /// Whether what there is to see of the job is durable.
  final boolean isDurable() {
    return accepted || state.ended();
  }

  final ActorRef<Job.Command> self() {
    return getContext().getSelf();
  }

  /// Has the facts written. Not while an append is under way.
  final void write(Pending next) {
    try {
      var sender = new ToJob(self());
      environment.ledger().tell(Appends.of(state, next.facts(), next.birth(), environment, sender));
      pending = next;
    } catch (IllegalArgumentException notEncodable) {
      pending = null;
      refused(next, String.valueOf(notEncodable.getMessage()));
    }
  }

  /// Has the facts written that make the job ready, with its claim if a worker is at hand: one
  /// commit instead of two. Until that is known, everything else waits as for a write.
  final void writeWithClaim(Pending next) {
    var ready = next.after(state);
    if (ready.isDue(environment.now())) {
      pending = next;
      asking = true;
      Outbox.aboutToBeReady(ready, environment, self());
    } else {
      write(next);
    }
  }

  /// Whether a worker was asked for.
  final boolean isAsking() {
    return asking;
  }

  /// What is to be written once it is known whether a worker is at hand.
  final Pending asked() {
    return Objects.requireNonNull(pending);
  }

  final Behavior<Job.Command> writeAsked(Pending next) {
    asking = false;
    write(next);
    return isGone() ? depart() : unstash();
  }

  /// Has facts written that nothing waits for: the state is already what they make of it.
  final void note(List<JobFact> facts) {
    environment.ledger().tell(Appends.of(state, facts, null, environment, unheard -> {}));
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
        written.asker().unavailable(state, reason, retryAfter);
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

  /// Keeps a message until nothing is being written, if there is room.
  final Behavior<Job.Command> later(Job.Command message) {
    stash = stash == null ? new Stash() : stash;
    if (!stash.add(message, environment.settings().stash())) {
      crowded().tell(message);
    }
    return this;
  }

  final Refusal crowded() {
    var reason = "too many messages wait for job " + state.id();
    return Refusal.unavailable(state.id(), reason, environment.settings().repeat());
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

  /// Whether it turned out that there is no such live job.
  private boolean isGone() {
    return !accepted && pending == null;
  }

  private Behavior<Job.Command> depart() {
    environment.partition().tell(new PartitionNotice.Gone(state.id(), self()));
    var departed = new Departed(getContext(), state, environment);
    if (stash != null) {
      stash.drain(departed::onMessage);
    }
    return departed;
  }

  /// What was being written may become durable or not: whoever waits for it is told so, and a
  /// worker that was offered is not given back.
  private Behavior<Job.Command> crash(Throwable failure, Job.@Nullable Command failedAt) {
    MemoryReserve.giveBackAfter(failure);
    var words = new FailedJob(state.id(), self(), environment, this::tellWaiting);
    return words.because(failure, failedAt, getContext());
  }

  private void tellWaiting(FailedJob failed, String cause) {
    if (pending != null) {
      pending.asker().unknown(state, cause, environment.settings().repeat());
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
