package dev.handoff.internal.dispatch;

import dev.handoff.internal.job.JobNotice.Ready;
import dev.handoff.internal.job.WorkerCredit;
import org.jspecify.annotations.Nullable;

/// Credit offered to a job, without an answer yet.
final class WorkOffer {

  final Ready job;
  final WorkerCredit credit;

  /// Slot era of the offer; 0 = no slot.
  long slotEra;

  /// Age in heartbeats.
  int age;

  /// Later `Ready` of the job. It takes effect if the job declines this credit, or after the end of
  /// the attempt on this credit.
  @Nullable Ready again;

  WorkOffer(Ready job, WorkerCredit credit, long slotEra) {
    this.job = job;
    this.credit = credit;
    this.slotEra = slotEra;
  }
}
