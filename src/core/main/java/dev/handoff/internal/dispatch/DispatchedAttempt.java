package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.WorkerCredit;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Attempt as the dispatcher sees it; its worker has a `WorkerAttempt`.
public final class DispatchedAttempt {

  final JobId job;
  final int attempt;
  final String queue;
  final PoolId pool;

  /// Null if the attempt's worker is unknown: then the worker counts as lost.
  final @Nullable WorkerCredit credit;

  ActorRef<Job.Command> ref;

  /// Slot era of the attempt; [QueueGate#NONE] without a slot.
  long slotEra;

  /// Whether the attempt waits for a child without holding a slot.
  boolean parked;

  /// Round of the last wait that was allowed to resume.
  int resumed;

  /// Round of the last wait that asked to resume.
  int resuming;

  /// Number of its pool's heartbeats that listed the attempt.
  int listed;

  /// Whether the worker is lost; each heartbeat tells the job until it answers.
  boolean lost;

  /// A `Ready` of the job that arrived before its `Taken`; it counts once this attempt is over.
  JobNotice.@Nullable Ready again;

  private DispatchedAttempt(
      JobId job,
      int attempt,
      String queue,
      PoolId pool,
      @Nullable WorkerCredit credit,
      ActorRef<Job.Command> ref) {
    this.job = job;
    this.attempt = attempt;
    this.queue = queue;
    this.pool = pool;
    this.credit = credit;
    this.ref = ref;
  }

  /// @param offer offer that the job has taken; null if unknown by now
  static DispatchedAttempt taken(JobNotice.Taken taken, @Nullable WorkOffer offer) {
    var credit = taken.credit();
    var attempt =
        new DispatchedAttempt(
            taken.job(), taken.attempt(), taken.queue(), credit.pool(), credit, taken.ref());
    if (offer != null) {
      attempt.slotEra = offer.slotEra;
      attempt.again = offer.again;
    }
    return attempt;
  }

  /// Attempt known to the job but not to the dispatcher.
  static DispatchedAttempt unknown(JobNotice.Underway underway) {
    return new DispatchedAttempt(
        underway.job(),
        underway.attempt(),
        underway.queue(),
        underway.by().pool(),
        null,
        underway.ref());
  }

  boolean runsOn(PoolId other, long number) {
    return credit != null && credit.number() == number && pool.equals(other);
  }
}
