package dev.handoff;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.plan.PlanId;
import java.util.concurrent.CompletionStage;

/// A cancel of a plan on its way, with its two stages. In JSON it is the id of its plan.
///
/// @param requested completes when the request is durable: from then on it cannot be lost
/// @param ended completes when the plan has ended
public record PlanCancelling(
    @JsonValue PlanId plan,
    CompletionStage<Cancelling.CancelRequestAnswer> requested,
    CompletionStage<PlanCancelReport> ended) {}
