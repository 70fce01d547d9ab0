package dev.handoff.dispatch;

import dev.handoff.job.AttemptReport;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.Notes;
import dev.handoff.job.Phase;
import dev.handoff.job.WorkerOrder;
import org.apache.pekko.actor.typed.ActorRef;

/// What a worker tells jobs of their attempts: first the actor that has ordered one, and later
/// wherever the job is by then.
///
/// @param answers where jobs answer that want an attempt's end to be repeated until they have it
record Reports(Worker.Environment environment, ActorRef<JobReply> answers) {

  void started(RunningAttempt now) {
    tell(now.order(), new JobCommand.Started(now.number()));
  }

  /// Nothing of the order has been run.
  void neverStarted(WorkerOrder.Run order) {
    var none = new AttemptReport.NeverStarted();
    tell(order, new JobCommand.Report(order.attempt(), none, Notes.NONE));
  }

  private void tell(WorkerOrder.Run order, JobCommand command) {
    order.reportTo().tell(new Job.Do(command, environment.system().ignoreRef()));
  }

  void ended(Unrecorded report, ActorRef<Job.Command> job) {
    job.tell(new Job.Do(report.report(), answers));
  }

  /// Not by the job's own reference, which may be gone: to wherever the job is now.
  void repeat(Unrecorded report) {
    var again = new Job.Do(report.report(), answers);
    environment.router().tell(new ForJob(report.job(), again));
  }

  /// The code of an attempt that was given up has ended after all.
  void endedLate(RunningAttempt abandoned, AttemptReport late) {
    var notes = abandoned.attempt().notes();
    tell(abandoned.job(), new JobCommand.Report(abandoned.number(), late, notes));
  }

  void timeOver(RunningAttempt now, Phase.StopCause cause) {
    tell(now.job(), new JobCommand.TimeOut(now.number(), cause));
  }

  /// The job believes that its attempt is here, and it is not.
  void unknownHere(WorkerOrder order) {
    tell(order.job(), new JobCommand.LoseWorker(order.attempt()));
  }

  private void tell(JobId job, JobCommand command) {
    var message = new Job.Do(command, environment.system().ignoreRef());
    environment.router().tell(new ForJob(job, message));
  }
}
