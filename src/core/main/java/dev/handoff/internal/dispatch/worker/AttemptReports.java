package dev.handoff.internal.dispatch.worker;

import dev.handoff.JobId;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.WorkerOrder;
import org.apache.pekko.actor.typed.ActorRef;

/// Reports of a worker about its attempts: first to the actor that sent the order, later through
/// the router to the job's current actor.
///
/// @param answers receiver of the replies to an attempt's end, which is repeated until it is
///   recorded
record AttemptReports(Worker.Environment environment, ActorRef<ReportReply> answers) {

  void started(WorkerAttempt now) {
    tell(now.order(), new JobCommand.Started(now.number()));
  }

  /// Reports an order whose handler was never called.
  void neverStarted(WorkerOrder.Run order) {
    var none = new AttemptReport.NeverStarted();
    tell(order, new JobCommand.Report(order.attempt(), none, AttemptNotes.NONE));
  }

  private void tell(WorkerOrder.Run order, JobCommand.OfAttempt command) {
    order.reportTo().tell(new Job.UpdateAttempt(command, environment.system().ignoreRef()));
  }

  void ended(UnrecordedReport report, ActorRef<Job.Command> job) {
    job.tell(new Job.UpdateAttempt(report.report(), answers));
  }

  /// Repeats a report through the router, because the order's sender may be gone.
  void repeat(UnrecordedReport report) {
    var again = new Job.UpdateAttempt(report.report(), answers);
    environment.router().tell(new JobEnvelope(report.job(), again));
  }

  /// Reports the late end of an abandoned attempt.
  void endedLate(WorkerAttempt abandoned, AttemptReport late) {
    var notes = abandoned.attempt().notes();
    tell(abandoned.job(), new JobCommand.Report(abandoned.number(), late, notes));
  }

  void timeOver(WorkerAttempt now, JobPhase.StopCause cause) {
    tell(now.job(), new JobCommand.TimeOut(now.number(), cause));
  }

  /// Reports an attempt unknown here, although the job expects it on this worker.
  void unknownHere(WorkerOrder order) {
    tell(order.job(), new JobCommand.LoseWorker(order.attempt()));
  }

  private void tell(JobId job, JobCommand.OfAttempt command) {
    var message = new Job.UpdateAttempt(command, environment.system().ignoreRef());
    environment.router().tell(new JobEnvelope(job, message));
  }
}
