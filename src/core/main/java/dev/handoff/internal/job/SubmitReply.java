package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobId;
import dev.handoff.internal.ledger.WireMessage;
import java.time.Duration;

/// Reply to a submission.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reply")
@JsonSubTypes({
  @JsonSubTypes.Type(value = SubmitReply.Accepted.class, name = "accepted"),
  @JsonSubTypes.Type(value = SubmitReply.Existing.class, name = "existing"),
  @JsonSubTypes.Type(value = SubmitReply.KeyConflict.class, name = "key-conflict"),
  @JsonSubTypes.Type(value = SubmitReply.Refused.class, name = "refused"),
  @JsonSubTypes.Type(value = SubmitReply.Unavailable.class, name = "unavailable"),
  @JsonSubTypes.Type(value = SubmitReply.Unknown.class, name = "unknown")
})
public sealed interface SubmitReply extends WireMessage {

  /// The job is durable.
  record Accepted(JobId job) implements SubmitReply {}

  /// A job with this key and the same content exists.
  record Existing(JobId job) implements SubmitReply {}

  /// A job with this key and other content exists, and is unchanged.
  record KeyConflict(JobId holder, String key) implements SubmitReply {}

  /// The job can never be stored.
  record Refused(String reason) implements SubmitReply {}

  /// The job was not accepted for now; a retry may succeed.
  record Unavailable(String reason, Duration retryAfter) implements SubmitReply {}

  /// The outcome is unknown. Only a key makes a second submission safe.
  record Unknown(String reason, Duration retryAfter) implements SubmitReply {}
}
