package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobId;
import dev.handoff.internal.ledger.WireMessage;
import java.time.Duration;

/// Reply to a query of a job's state.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reply")
@JsonSubTypes({
  @JsonSubTypes.Type(value = StateReply.Found.class, name = "found"),
  @JsonSubTypes.Type(value = StateReply.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = StateReply.Unavailable.class, name = "unavailable")
})
public sealed interface StateReply extends WireMessage {

  record Found(JobState state) implements StateReply {}

  record NotFound(JobId job) implements StateReply {}

  /// The state is unknown for now. The requester may retry.
  record Unavailable(JobId job, String reason, Duration retryAfter) implements StateReply {}
}
