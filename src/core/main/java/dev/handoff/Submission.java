package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.internal.text.Durations;
import dev.handoff.json.NamedAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Answer to a submission.
@JsonSubTypes({
  @JsonSubTypes.Type(value = Submission.Accepted.class, name = "accepted"),
  @JsonSubTypes.Type(value = Submission.Existing.class, name = "existing"),
  @JsonSubTypes.Type(value = Submission.KeyConflict.class, name = "key-conflict"),
  @JsonSubTypes.Type(value = Submission.UnknownType.class, name = "unknown-type"),
  @JsonSubTypes.Type(value = Submission.Invalid.class, name = "invalid"),
  @JsonSubTypes.Type(value = Submission.Refused.class, name = "refused"),
  @JsonSubTypes.Type(value = Submission.Unavailable.class, name = "unavailable")
})
public sealed interface Submission extends NamedAnswer {

  /// The job is durable: it ends in a terminal state, or stays visible.
  record Accepted(@JsonProperty("job") JobHandle handle) implements Submission {}

  /// A job with this key and content already exists.
  record Existing(@JsonProperty("job") JobHandle handle) implements Submission {}

  /// A job with this key has other content; it is unchanged.
  record KeyConflict(String key, JobId holder) implements Submission {}

  /// No worker here can run jobs of this type.
  record UnknownType(String type, Set<String> known) implements Submission {}

  /// The request is invalid.
  record Invalid(List<String> problems) implements Submission {}

  /// The job cannot be accepted: its parent is being cancelled or has ended, or the store can never
  /// hold the job.
  record Refused(String reason) implements Submission {}

  /// The engine cannot answer now. Whether the job was accepted is unknown: submit it again with
  /// the same key.
  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements Submission {}

  /// Handle of the new or existing job.
  ///
  /// @throws SubmissionRefusedException for all other answers
  default JobHandle orThrow() {
    return switch (this) {
      case Accepted(var handle) -> handle;
      case Existing(var handle) -> handle;
      case KeyConflict(var key, var holder) ->
          throw new SubmissionRefusedException(
              this, "key \"%s\" belongs to job %s, which has other content".formatted(key, holder));
      case UnknownType(var type, var known) ->
          throw new SubmissionRefusedException(
              this,
              "nobody here can run jobs of type \"%s\"; known: %s"
                  .formatted(type, String.join(", ", known)));
      case Invalid(var problems) ->
          throw new SubmissionRefusedException(this, String.join("; ", problems));
      case Refused(var reason) -> throw new SubmissionRefusedException(this, reason);
      case Unavailable(var reason, var retryAfter) ->
          throw new SubmissionRefusedException(
              this, "%s; try again in %s".formatted(reason, Durations.exact(retryAfter)));
    };
  }
}
