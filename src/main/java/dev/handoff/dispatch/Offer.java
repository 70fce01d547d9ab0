package dev.handoff.dispatch;

import dev.handoff.job.Credit;
import dev.handoff.job.JobNotice.Ready;
import org.jspecify.annotations.Nullable;

/// A credit that a job has not answered yet.
final class Offer {

  final Ready job;
  final Credit credit;

  /// The era of the slot that was taken for it; 0 = none.
  long slot;

  /// How many heartbeats it has waited.
  int age;

  /// What the job has said since: it wants a worker, should it not take this one; or it has taken
  /// it, and that attempt is over already.
  @Nullable Ready again;

  Offer(Ready job, Credit credit, long slot) {
    this.job = job;
    this.credit = credit;
    this.slot = slot;
  }
}
