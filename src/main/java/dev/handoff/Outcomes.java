package dev.handoff;

import dev.handoff.job.JobState;
import dev.handoff.job.JobStatus;
import dev.handoff.job.Phase;

/// How the end of a job is told.
final class Outcomes {

  private Outcomes() {}

  /// @throws IllegalStateException if the job has not ended
  static Outcome of(JobState job) {
    return switch (ended(job)) {
      case Phase.Succeeded(var result, var at) -> new Outcome.Succeeded(result);
      case Phase.Failed(var cause, var error, var at) -> new Outcome.Failed(error);
      case Phase.Cancelled over -> new Outcome.Cancelled(over.request().reason(), over.abandoned());
    };
  }

  /// What a cancel came to, told from the state that the job ended in.
  static CancelReport report(JobState job) {
    return switch (ended(job)) {
      case Phase.Succeeded won -> new CancelReport.Already(job.id(), JobStatus.SUCCEEDED);
      case Phase.Failed lost -> new CancelReport.Already(job.id(), JobStatus.FAILED);
      case Phase.Cancelled over when over.abandoned() ->
          new CancelReport.Abandoned(job.id(), over.unanswered());
      case Phase.Cancelled over ->
          new CancelReport.Cancelled(job.id(), over.discarded(), over.unanswered());
    };
  }

  private static Phase.Ended ended(JobState job) {
    if (job.phase() instanceof Phase.Ended ended) {
      return ended;
    }
    throw new IllegalStateException("job " + job.id() + " has not ended");
  }
}
