package dev.handoff;

import dev.handoff.job.JobId;
import dev.handoff.job.JobStatus;
import java.util.List;

/// What came of a cancel.
public sealed interface CancelReport {

  JobId job();

  /// The handler stopped, or never ran.
  ///
  /// @param discarded whether a result came after the request, and was thrown away
  /// @param unanswered children that had not confirmed their end in time
  record Cancelled(JobId job, boolean discarded, List<JobId> unanswered) implements CancelReport {}

  /// The job is over, but its code did not stop and may still run.
  record Abandoned(JobId job, List<JobId> unanswered) implements CancelReport {}

  /// The job had ended before the request, or while it was on its way.
  record Already(JobId job, JobStatus status) implements CancelReport {}

  /// There is no such job.
  record NotFound(JobId job) implements CancelReport {}
}
