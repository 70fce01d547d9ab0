package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobId;
import dev.handoff.internal.ledger.WireMessage;
import java.time.Duration;
import java.util.List;

/// Reply of a parent job to its attempt that submits a child.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reply")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ChildReply.Accepted.class, name = "child-accepted"),
  @JsonSubTypes.Type(value = ChildReply.Declined.class, name = "child-refused"),
  @JsonSubTypes.Type(value = ChildReply.Refused.class, name = "refused"),
  @JsonSubTypes.Type(value = ChildReply.Unavailable.class, name = "unavailable")
})
public sealed interface ChildReply extends WireMessage {

  /// The parent.
  JobId job();

  /// The child is durable.
  ///
  /// @param known whether this attempt, or an earlier one, had submitted the child before
  record Accepted(JobId job, JobId child, boolean known) implements ChildReply {}

  /// The parent's state does not allow the child.
  ///
  /// @param children holder of the child's key; empty if the key is free
  record Declined(JobId job, CommandVerdict why, List<JobId> children) implements ChildReply {}

  /// The store refuses the child for good.
  record Refused(JobId job, String reason) implements ChildReply {}

  /// The child was not accepted, or the outcome is unknown. Only a key makes a second submission
  /// safe.
  record Unavailable(JobId job, String reason, Duration retryAfter) implements ChildReply {}
}
