package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobId;
import dev.handoff.internal.ledger.WireMessage;
import java.time.Duration;
import java.util.List;

/// Reply of a job, or of its partition on its behalf. Replies to commands with facts follow the
/// facts' durability.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reply")
@JsonSubTypes({
  @JsonSubTypes.Type(value = JobReply.Done.class, name = "done"),
  @JsonSubTypes.Type(value = JobReply.Recorded.class, name = "recorded"),
  @JsonSubTypes.Type(value = JobReply.Fenced.class, name = "fenced"),
  @JsonSubTypes.Type(value = JobReply.NotRecorded.class, name = "not-recorded"),
  @JsonSubTypes.Type(value = JobReply.Declined.class, name = "declined"),
  @JsonSubTypes.Type(value = JobReply.AlreadyFinished.class, name = "already-finished"),
  @JsonSubTypes.Type(value = JobReply.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = JobReply.ChildAccepted.class, name = "child-accepted"),
  @JsonSubTypes.Type(value = JobReply.ChildRefused.class, name = "child-refused"),
  @JsonSubTypes.Type(value = JobReply.Unavailable.class, name = "unavailable"),
  @JsonSubTypes.Type(value = JobReply.Refused.class, name = "refused")
})
public sealed interface JobReply extends WireMessage {

  JobId job();

  /// The command took effect, now or earlier; the state includes it. Also the reply to a query.
  record Done(JobState state) implements JobReply {
    @Override
    public JobId job() {
      return state.id();
    }
  }

  /// The worker's report is durable, possibly since an earlier delivery.
  record Recorded(JobId job, int attempt) implements JobReply {}

  /// The attempt is no longer current: its message changed nothing.
  ///
  /// @param current current attempt; 0 if the job does not exist
  record Fenced(JobId job, int attempt, int current) implements JobReply {}

  /// The store refuses the content of the attempt's message for good.
  record NotRecorded(JobId job, int attempt, String reason) implements JobReply {}

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

  /// @param known whether this attempt, or an earlier one, had submitted the child before
  record ChildAccepted(JobId job, JobId child, boolean known) implements JobReply {}

  record ChildRefused(JobId job, CommandVerdict why, List<JobId> children) implements JobReply {}

  /// The command was not accepted, or its outcome is unknown: the store is away, the job failed, or
  /// its stash is full. The requester may retry.
  record Unavailable(JobId job, String reason, Duration retryAfter) implements JobReply {}

  /// The store refuses the facts of the command for good.
  record Refused(JobId job, String reason) implements JobReply {}
}
