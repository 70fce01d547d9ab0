package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobId;
import dev.handoff.internal.ledger.WireMessage;
import java.time.Duration;

/// Reply to a report about an attempt: whether the report counts. The reply follows the durability
/// of the report's facts, except for [JobCommand.Started]: its reply does not wait for the ledger.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reply")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ReportReply.Recorded.class, name = "recorded"),
  @JsonSubTypes.Type(value = ReportReply.Fenced.class, name = "fenced"),
  @JsonSubTypes.Type(value = ReportReply.NotRecorded.class, name = "not-recorded"),
  @JsonSubTypes.Type(value = ReportReply.Unavailable.class, name = "unavailable")
})
public sealed interface ReportReply extends WireMessage {

  JobId job();

  /// The report is recorded, possibly since an earlier delivery.
  record Recorded(JobId job, int attempt) implements ReportReply {}

  /// The attempt is no longer current: its report changed nothing.
  ///
  /// @param current current attempt; 0 if the job does not exist
  record Fenced(JobId job, int attempt, int current) implements ReportReply {}

  /// The store refuses the report's content for good.
  record NotRecorded(JobId job, int attempt, String reason) implements ReportReply {}

  /// The report was not accepted, or its outcome is unknown. The worker may repeat the report.
  record Unavailable(JobId job, String reason, Duration retryAfter) implements ReportReply {}
}
