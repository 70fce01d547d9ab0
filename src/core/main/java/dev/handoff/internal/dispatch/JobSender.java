package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.WorkerCredit;
import org.apache.pekko.actor.typed.ActorRef;

/// Messages from a dispatcher to jobs, through their partition: it reaches each job's current
/// actor, or answers for an ended job.
///
/// @param answers receiver of the replies
record JobSender(ActorRef<PartitionNotice> partition, ActorRef<JobReply> answers) {

  void loseWorker(JobId job, int attempt) {
    tell(job, new Job.Do(new JobCommand.LoseWorker(attempt), answers));
  }

  void offer(JobId job, WorkerCredit credit) {
    tell(job, new Job.Claim(credit));
  }

  void askForState(JobId job) {
    tell(job, new Job.Get(answers));
  }

  private void tell(JobId job, Job.Command message) {
    partition.tell(new PartitionNotice.Forward(new JobEnvelope(job, message)));
  }
}
