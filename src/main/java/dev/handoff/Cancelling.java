package dev.handoff;

import java.util.concurrent.CompletionStage;

/// A cancel on its way, with its two stages.
///
/// @param requested completes when the request is durable: from then on it cannot be lost. The
///   value is what the job was then
/// @param ended completes when the job has ended
public record Cancelling(
    CompletionStage<CancelRequestAnswer> requested, CompletionStage<CancelReport> ended) {

  /// What a request to cancel was answered.
  public enum CancelRequestAnswer {
    /// It is durable; the job is ending, or has ended by it.
    REQUESTED,
    /// The job had already ended.
    ALREADY_FINISHED,
    /// There is no such job.
    NOT_FOUND
  }
}
