package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.ledger.WireMessage;
import java.time.Duration;

/// The answer to a submission.
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

  /// A job with this key and this content was there before.
  record Existing(JobId job) implements SubmitReply {}

  /// A job with this key has other content; it was left as it is.
  record KeyConflict(JobId holder, String key) implements SubmitReply {}

  /// The job cannot be stored, now or later.
  record Refused(String reason) implements SubmitReply {}

  /// The job was not taken; the same submission may succeed later.
  record Unavailable(String reason, Duration retryAfter) implements SubmitReply {}

  /// Whether it will be accepted is not known; submit again, with a key to be sure.
  record Unknown(String reason, Duration retryAfter) implements SubmitReply {}
}
