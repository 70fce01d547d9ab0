package dev.handoff;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.job.JobId;
import dev.handoff.job.JobStatus;
import dev.handoff.job.NamedAnswer;
import java.util.List;

/// What came of a cancel.
@JsonSubTypes({
  @JsonSubTypes.Type(value = CancelReport.Cancelled.class, name = "cancelled"),
  @JsonSubTypes.Type(value = CancelReport.Abandoned.class, name = "abandoned"),
  @JsonSubTypes.Type(value = CancelReport.Already.class, name = "already"),
  @JsonSubTypes.Type(value = CancelReport.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = CancelReport.NotKept.class, name = "not-kept")
})
public sealed interface CancelReport extends NamedAnswer {

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

  /// There is no such job, and `handoff.history` drops jobs: it has ended and was not kept, or was
  /// never here.
  record NotKept(JobId job) implements CancelReport {}
}
