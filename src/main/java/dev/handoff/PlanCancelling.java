package dev.handoff;

import java.util.concurrent.CompletionStage;

/// A cancel of a plan on its way, with its two stages.
///
/// @param requested completes when the request is durable: from then on it cannot be lost
/// @param ended completes when the plan has ended
public record PlanCancelling(
    CompletionStage<Cancelling.CancelRequestAnswer> requested,
    CompletionStage<PlanCancelReport> ended) {}
