package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.CancelHandle;
import java.util.concurrent.CompletionStage;

/// A plan cancel in progress, with two stages. Its JSON form is the id of the plan.
///
/// @param requested completes when the request is durable and so cannot be lost
/// @param ended completes when the plan has ended
public record PlanCancelHandle(
    @JsonValue PlanId plan,
    CompletionStage<CancelHandle.CancelRequestAnswer> requested,
    CompletionStage<PlanCancelReport> ended) {}
