package dev.handoff.dispatch;

import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import org.jspecify.annotations.Nullable;

/// The report of an attempt's end that the job has not recorded yet.
///
/// @param running the attempt, if it was abandoned and still runs
record Unrecorded(
    JobId job, long credit, JobCommand.Report report, @Nullable RunningAttempt running) {

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
          case JobReply.NotFound none -> true;
          case JobReply.Refused never -> true;
          case JobReply.AlreadyFinished over -> true;
          case JobReply.Unavailable later -> false;
          case JobReply.Done other -> false;
          case JobReply.Declined other -> false;
          case JobReply.ChildAccepted other -> false;
          case JobReply.ChildRefused other -> false;
        };
  }
}
