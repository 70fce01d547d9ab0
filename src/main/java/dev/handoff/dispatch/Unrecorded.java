package dev.handoff.dispatch;

import dev.handoff.job.AttemptReport;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.Notes;
import dev.handoff.job.WorkerOrder;
import org.jspecify.annotations.Nullable;

/// The report of an attempt's end that the job has not recorded yet.
///
/// @param running the attempt, if it was abandoned and still runs
record Unrecorded(
    JobId job, long credit, JobCommand.Report report, @Nullable RunningAttempt running) {

  /// The handler has ended. One that was asked to stop has obeyed, unless it brings a result, or
  /// wants to go on later: what that is worth is for the job to say.
  static Unrecorded of(RunningAttempt attempt, AttemptReport end) {
    var asked = attempt.stopped();
    boolean said = end instanceof AttemptReport.Returned || end instanceof AttemptReport.Later;
    boolean obeyed = asked != null && !said;
    return of(attempt, obeyed ? new AttemptReport.Stopped(asked.cause()) : end, null);
  }

  /// The handler was asked to stop, and has not.
  static Unrecorded abandoned(RunningAttempt attempt) {
    return of(attempt, new AttemptReport.Abandoned(attempt.stopped().cause()), attempt);
  }

  private static Unrecorded of(
      RunningAttempt attempt, AttemptReport end, @Nullable RunningAttempt running) {
    var report = new JobCommand.Report(attempt.number(), end, attempt.attempt().notes());
    return new Unrecorded(attempt.job(), attempt.order().credit(), report, running);
  }

  /// The handler could not be called.
  static Unrecorded failed(WorkerOrder.Run order, AttemptReport failure) {
    var report = new JobCommand.Report(order.attempt(), failure, Notes.NONE);
    return new Unrecorded(order.job(), order.credit(), report, null);
  }

  /// The handler was not called, and will not be.
  static Unrecorded neverStarted(WorkerOrder order) {
    var none = new AttemptReport.NeverStarted();
    var report = new JobCommand.Report(order.attempt(), none, Notes.NONE);
    return new Unrecorded(order.job(), order.credit(), report, null);
  }

  /// The attempt has ended after all.
  Unrecorded ended() {
    return new Unrecorded(job, credit, report, null);
  }

  boolean isOf(int run) {
    return running != null && running.run() == run;
  }

  /// Whether the job has it, or will never take it.
  boolean isAnsweredBy(JobReply reply) {
    return reply.job().equals(job)
        && switch (reply) {
          case JobReply.Recorded(var of, int attempt) -> attempt == report.attempt();
          case JobReply.Fenced(var of, int attempt, int current) -> attempt == report.attempt();
          case JobReply.NotRecorded(var of, int attempt, var never) -> attempt == report.attempt();
          case JobReply.NotFound other -> false;
          case JobReply.Refused other -> false;
          case JobReply.AlreadyFinished other -> false;
          case JobReply.Unavailable later -> false;
          case JobReply.Done other -> false;
          case JobReply.Declined other -> false;
          case JobReply.ChildAccepted other -> false;
          case JobReply.ChildRefused other -> false;
        };
  }
}
