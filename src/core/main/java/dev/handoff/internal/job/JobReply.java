package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobId;
import dev.handoff.internal.ledger.WireMessage;
import java.time.Duration;

/// Reply of a job, or of its partition on its behalf, to the caller of a command. Replies to
/// commands with facts follow the facts' durability.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reply")
@JsonSubTypes({
  @JsonSubTypes.Type(value = JobReply.Done.class, name = "done"),
  @JsonSubTypes.Type(value = JobReply.Declined.class, name = "declined"),
  @JsonSubTypes.Type(value = JobReply.AlreadyFinished.class, name = "already-finished"),
  @JsonSubTypes.Type(value = JobReply.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = JobReply.Unavailable.class, name = "unavailable"),
  @JsonSubTypes.Type(value = JobReply.Refused.class, name = "refused")
})
public sealed interface JobReply extends WireMessage {

  JobId job();

  /// The command took effect, now or earlier; the state includes it.
  record Done(JobState state) implements JobReply {
    @Override
    public JobId job() {
      return state.id();
    }
  }

  /// The job's state does not allow the command.
  record Declined(JobState state, String reason) implements JobReply {
    @Override
    public JobId job() {
      return state.id();
    }
  }

  record AlreadyFinished(JobState state) implements JobReply {
    @Override
    public JobId job() {
      return state.id();
    }
  }

  record NotFound(JobId job) implements JobReply {}

  /// The command was not accepted, or its outcome is unknown: the store is away, the job failed, or
  /// its stash is full. The caller may retry.
  record Unavailable(JobId job, String reason, Duration retryAfter) implements JobReply {}

  /// The store refuses the facts of the command for good.
  record Refused(JobId job, String reason) implements JobReply {}
}
