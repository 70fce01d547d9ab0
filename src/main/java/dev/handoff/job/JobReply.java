package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.ledger.WireMessage;
import java.time.Duration;
import java.util.List;

/// What a job, or its partition in its place, answers. A reply to a command that leads to facts is
/// sent after they are durable, and not before.
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

  /// The command took effect, now or before; this is the state since then. Also the answer to a
  /// question.
  record Done(JobState state) implements JobReply {
    @Override
    public JobId job() {
      return state.id();
    }
  }

  /// A worker's report is durable, or was before.
  record Recorded(JobId job, int attempt) implements JobReply {}

  /// The attempt is not the current one: what it sent changed nothing.
  ///
  /// @param current 0 if there is no such job
  record Fenced(JobId job, int attempt, int current) implements JobReply {}

  /// The store cannot keep what the attempt has sent, and will not.
  record NotRecorded(JobId job, int attempt, String reason) implements JobReply {}

  /// Not possible in this state.
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

  /// @param known whether it had been submitted before, by this attempt or an earlier one
  record ChildAccepted(JobId job, JobId child, boolean known) implements JobReply {}

  record ChildRefused(JobId job, Verdict why, List<JobId> children) implements JobReply {}

  /// Not taken now, or nobody knows whether it was: the store is away, or the job has failed or has
  /// too many messages. Ask again.
  record Unavailable(JobId job, String reason, Duration retryAfter) implements JobReply {}

  /// The store cannot keep what the command would have to write.
  record Refused(JobId job, String reason) implements JobReply {}
}
