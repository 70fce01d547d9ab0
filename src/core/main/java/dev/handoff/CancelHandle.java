package dev.handoff;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.concurrent.CompletionStage;

/// A cancel in progress, with two stages. Its JSON form is the id of the job.
///
/// @param requested completes when the request is durable and so cannot be lost; the value is the
///   answer to the request
/// @param ended completes when the job has ended
public record CancelHandle(
    @JsonValue JobId job,
    CompletionStage<CancelRequestAnswer> requested,
    CompletionStage<CancelReport> ended) {

  /// Answer to a cancel request.
  public enum CancelRequestAnswer {
    /// The request is durable; the job is being cancelled, or was cancelled at once.
    @JsonProperty("requested")
    REQUESTED,
    /// The job had already ended.
    @JsonProperty("already-finished")
    ALREADY_FINISHED,
    /// The job does not exist.
    @JsonProperty("not-found")
    NOT_FOUND,
    /// The job is missing, and `handoff.history` drops jobs: either the job has ended and was not
    /// kept, or it never existed.
    @JsonProperty("not-kept")
    NOT_KEPT
  }
}
