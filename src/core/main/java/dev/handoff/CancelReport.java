package dev.handoff;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.json.NamedAnswer;
import java.util.List;

/// Result of a job cancel.
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
  /// @param discarded whether a result arrived after the request and was discarded
  /// @param unanswered children that did not confirm their end in time
  record Cancelled(JobId job, boolean discarded, List<JobId> unanswered) implements CancelReport {}

  /// The job has ended, but its code did not stop and may still run.
  record Abandoned(JobId job, List<JobId> unanswered) implements CancelReport {}

  /// The job ended before it received the cancel request.
  record Already(JobId job, JobStatus status) implements CancelReport {}

  /// The job does not exist.
  record NotFound(JobId job) implements CancelReport {}

  /// The job is missing, and `handoff.history` drops jobs: either the job has ended and was not
  /// kept, or it never existed.
  record NotKept(JobId job) implements CancelReport {}
}
