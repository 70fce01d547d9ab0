package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.json.NamedAnswer;
import java.time.Duration;

/// Answer to a retry by an operator.
@JsonSubTypes({
  @JsonSubTypes.Type(value = RetryAnswer.Reopened.class, name = "reopened"),
  @JsonSubTypes.Type(value = RetryAnswer.NotPossible.class, name = "not-possible"),
  @JsonSubTypes.Type(value = RetryAnswer.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = RetryAnswer.NotKept.class, name = "not-kept"),
  @JsonSubTypes.Type(value = RetryAnswer.Unavailable.class, name = "unavailable")
})
public sealed interface RetryAnswer extends NamedAnswer {

  /// The job is open again, as a new attempt with a new token.
  record Reopened(@JsonProperty("job") JobHandle handle) implements RetryAnswer {}

  /// The job cannot be reopened: only failed and cancelled jobs can.
  record NotPossible(JobId job, JobStatus status) implements RetryAnswer {}

  record NotFound(JobId job) implements RetryAnswer {}

  /// The job is missing, and `handoff.history` drops jobs: either the job has ended and was not
  /// kept, or it never existed.
  record NotKept(JobId job) implements RetryAnswer {}

  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements RetryAnswer {}
}
