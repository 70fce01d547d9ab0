package dev.handoff.dispatch;

import dev.handoff.job.Credit;
import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice;
import dev.handoff.job.PoolId;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// An attempt that a pool has, as the dispatcher sees it.
final class Handed {

  final JobId job;
  final int attempt;
  final String queue;
  final PoolId pool;

  /// Null if it is not known where the attempt runs: then its worker is lost.
  final @Nullable Credit credit;

  ActorRef<Job.Command> ref;

  /// The era of the slot that it holds; [Gate#NONE] if it holds none.
  long slot;

  /// Whether it waits for a child, and holds no slot meanwhile.
  boolean parked;

  /// Round of the last wait that was allowed to resume.
  int resumed;

  /// Round of the last wait that asked to resume.
  int resuming;

  /// How often its pool has listed it.
  int listed;

  /// Whether its worker is lost, and the job is being told.
  boolean lost;

  /// A `Ready` of the job that arrived before its `Taken`; it counts once this attempt is over.
  JobNotice.@Nullable Ready again;

  private Handed(
      JobId job,
      int attempt,
      String queue,
      PoolId pool,
      @Nullable Credit credit,
      ActorRef<Job.Command> ref) {
    this.job = job;
    this.attempt = attempt;
    this.queue = queue;
    this.pool = pool;
    this.credit = credit;
    this.ref = ref;
  }

  /// @param offer what the job has taken; null if it is not known any more
  static Handed taken(JobNotice.Taken taken, @Nullable Offer offer) {
    var credit = taken.credit();
    var handed =
        new Handed(taken.job(), taken.attempt(), taken.queue(), credit.pool(), credit, taken.ref());
    if (offer != null) {
      handed.slot = offer.slot;
      handed.again = offer.again;
    }
    return handed;
  }

  /// An attempt that the job knows of and the dispatcher does not.
  static Handed unknown(JobNotice.Underway underway) {
    return new Handed(
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
