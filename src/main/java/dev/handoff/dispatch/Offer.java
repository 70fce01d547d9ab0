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

  /// A `Ready` that the job has sent since. It counts if the job declines this credit, or has taken
  /// it and that attempt is over already.
  @Nullable Ready again;

  Offer(Ready job, Credit credit, long slot) {
    this.job = job;
    this.credit = credit;
    this.slot = slot;
  }
}
