package dev.handoff;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.job.JobId;
import java.util.concurrent.CompletionStage;

/// A cancel on its way, with its two stages. In JSON it is the id of its job: what it comes to is
/// in the stages.
///
/// @param requested completes when the request is durable: from then on it cannot be lost. The
///   value is what the job was then
/// @param ended completes when the job has ended
public record Cancelling(
    @JsonValue JobId job,
    CompletionStage<CancelRequestAnswer> requested,
    CompletionStage<CancelReport> ended) {

  /// What a request to cancel was answered.
  public enum CancelRequestAnswer {
    /// It is durable; the job is ending, or has ended by it.
    @JsonProperty("requested")
    REQUESTED,
    /// The job had already ended.
    @JsonProperty("already-finished")
    ALREADY_FINISHED,
    /// There is no such job.
    @JsonProperty("not-found")
    NOT_FOUND,
    /// There is no such job, and `handoff.history` drops jobs: it has ended and was not kept, or
    /// was never here.
    @JsonProperty("not-kept")
    NOT_KEPT
  }
}
