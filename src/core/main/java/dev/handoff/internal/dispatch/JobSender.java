package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.WorkerCredit;
import org.apache.pekko.actor.typed.ActorRef;

/// Messages from a dispatcher to jobs, through their partition: it reaches each job's current
/// actor, or answers for an ended job.
///
/// @param losses receiver of the replies to a lost worker
/// @param states receiver of the replies to state queries
record JobSender(
    ActorRef<PartitionNotice> partition,
    ActorRef<ReportReply> losses,
    ActorRef<StateReply> states) {

  void loseWorker(JobId job, int attempt) {
    tell(job, new Job.UpdateAttempt(new JobCommand.LoseWorker(attempt), losses));
  }

  void offer(JobId job, WorkerCredit credit) {
    tell(job, new Job.Claim(credit));
  }

  void askForState(JobId job) {
    tell(job, new Job.Get(states));
  }

  private void tell(JobId job, Job.Command message) {
    partition.tell(new PartitionNotice.Forward(new JobEnvelope(job, message)));
  }
}
