package dev.handoff.internal.dispatch.worker;

import dev.handoff.JobId;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.WorkerOrder;
import org.jspecify.annotations.Nullable;

/// Report of an attempt's end, not yet recorded by the job.
///
/// @param running the attempt, if it was abandoned and still runs
record UnrecordedReport(
    JobId job, long credit, JobCommand.Report report, @Nullable WorkerAttempt running) {

  /// Report of a handler's end. A handler with a stop request has obeyed, unless it returns a
  /// result or requests a later attempt: then the job decides.
  static UnrecordedReport of(WorkerAttempt attempt, AttemptReport end) {
    var asked = attempt.stopped();
    boolean said = end instanceof AttemptReport.Returned || end instanceof AttemptReport.Later;
    boolean obeyed = asked != null && !said;
    return of(attempt, obeyed ? new AttemptReport.Stopped(asked.cause()) : end, null);
  }

  /// Report of a handler that ignored a stop request.
  static UnrecordedReport abandoned(WorkerAttempt attempt) {
    return of(attempt, new AttemptReport.Abandoned(attempt.stopped().cause()), attempt);
  }

  private static UnrecordedReport of(
      WorkerAttempt attempt, AttemptReport end, @Nullable WorkerAttempt running) {
    var report = new JobCommand.Report(attempt.number(), end, attempt.attempt().notes());
    return new UnrecordedReport(attempt.job(), attempt.order().credit(), report, running);
  }

  /// Report of a handler whose thread failed to start.
  static UnrecordedReport failed(WorkerOrder.Run order, AttemptReport failure) {
    var report = new JobCommand.Report(order.attempt(), failure, AttemptNotes.NONE);
    return new UnrecordedReport(order.job(), order.credit(), report, null);
  }

  /// Report of a handler that was never called and never will be.
  static UnrecordedReport neverStarted(WorkerOrder order) {
    var none = new AttemptReport.NeverStarted();
    var report = new JobCommand.Report(order.attempt(), none, AttemptNotes.NONE);
    return new UnrecordedReport(order.job(), order.credit(), report, null);
  }

  /// Same report after the abandoned attempt's end.
  UnrecordedReport ended() {
    return new UnrecordedReport(job, credit, report, null);
  }

  boolean isOf(int run) {
    return running != null && running.run() == run;
  }

  /// Whether the reply settles the report: recorded, or rejected for good.
  boolean isAnsweredBy(ReportReply reply) {
    return reply.job().equals(job)
        && switch (reply) {
          case ReportReply.Recorded(var of, int attempt) -> attempt == report.attempt();
          case ReportReply.Fenced(var of, int attempt, int current) -> attempt == report.attempt();
          case ReportReply.NotRecorded(var of, int attempt, var why) -> attempt == report.attempt();
          case ReportReply.Unavailable later -> false;
        };
  }
}
