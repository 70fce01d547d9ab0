package dev.handoff.internal.facade;

import dev.handoff.CancelReport;
import dev.handoff.JobStatus;
import dev.handoff.Outcome;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobState;

/// Converts the final state of a job into the public outcome types.
public final class JobOutcomes {

  private JobOutcomes() {}

  /// @throws IllegalStateException if the job has not ended
  public static Outcome of(JobState job) {
    return switch (ended(job)) {
      case JobPhase.Succeeded(var result, var at) -> new Outcome.Succeeded(result);
      case JobPhase.Failed(var cause, var error, var at) -> new Outcome.Failed(error);
      case JobPhase.Cancelled over ->
          new Outcome.Cancelled(over.request().reason(), over.abandoned());
    };
  }

  /// Report of a cancel, derived from the job's final state.
  public static CancelReport report(JobState job) {
    return switch (ended(job)) {
      case JobPhase.Succeeded won -> new CancelReport.Already(job.id(), JobStatus.SUCCEEDED);
      case JobPhase.Failed lost -> new CancelReport.Already(job.id(), JobStatus.FAILED);
      case JobPhase.Cancelled over when over.abandoned() ->
          new CancelReport.Abandoned(job.id(), over.unanswered());
      case JobPhase.Cancelled over ->
          new CancelReport.Cancelled(job.id(), over.discarded(), over.unanswered());
    };
  }

  private static JobPhase.Ended ended(JobState job) {
    if (job.phase() instanceof JobPhase.Ended ended) {
      return ended;
    }
    throw new IllegalStateException("job " + job.id() + " has not ended");
  }
}
