package dev.handoff.dispatch;

import dev.handoff.job.Credit;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.PartitionNotice;
import org.apache.pekko.actor.typed.ActorRef;

/// What a dispatcher tells jobs by way of their partition, which knows where each of them is now,
/// or that it has ended.
///
/// @param answers where they answer
record ToJobs(ActorRef<PartitionNotice> partition, ActorRef<JobReply> answers) {

  void loseWorker(JobId job, int attempt) {
    tell(job, new Job.Do(new JobCommand.LoseWorker(attempt), answers));
  }

  void offer(JobId job, Credit credit) {
    tell(job, new Job.Claim(credit));
  }

  void askForState(JobId job) {
    tell(job, new Job.Get(answers));
  }

  private void tell(JobId job, Job.Command message) {
    partition.tell(new PartitionNotice.Forward(new ForJob(job, message)));
  }
}
