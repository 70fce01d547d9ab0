package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobId;
import dev.handoff.internal.ledger.WireMessage;
import java.time.Duration;

/// Reply to a watcher of a job's end.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reply")
@JsonSubTypes({
  @JsonSubTypes.Type(value = WatchReply.Ended.class, name = "ended"),
  @JsonSubTypes.Type(value = WatchReply.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = WatchReply.Unavailable.class, name = "unavailable")
})
public sealed interface WatchReply extends WireMessage {

  /// The job has ended, and its end is durable.
  record Ended(JobState state) implements WatchReply {}

  record NotFound(JobId job) implements WatchReply {}

  /// The job forgets the watch. The watcher may repeat the watch.
  record Unavailable(JobId job, String reason, Duration retryAfter) implements WatchReply {}
}
