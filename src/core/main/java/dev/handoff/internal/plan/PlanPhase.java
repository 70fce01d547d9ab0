package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.internal.text.SafeText;
import java.time.Instant;

/// Phase of a plan's life.
///
/// ```
/// Waiting ─▶ Running ──────────────▶ Succeeded │ Failed │ Cancelled
///               └──▶ Stopping ───────────────────┘
/// ```
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanPhase.Waiting.class, name = "waiting"),
  @JsonSubTypes.Type(value = PlanPhase.Running.class, name = "running"),
  @JsonSubTypes.Type(value = PlanPhase.Stopping.class, name = "stopping"),
  @JsonSubTypes.Type(value = PlanPhase.Succeeded.class, name = "succeeded"),
  @JsonSubTypes.Type(value = PlanPhase.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = PlanPhase.Cancelled.class, name = "cancelled")
})
public sealed interface PlanPhase {

  /// Final phase, unless a user reopens the plan.
  sealed interface Ended extends PlanPhase {
    Instant at();
  }

  /// Child plan before its release.
  record Waiting() implements PlanPhase {}

  record Running(Instant since) implements PlanPhase {}

  /// Cancellation of all steps that have not ended.
  record Stopping(StopCause cause, String reason, String by, Instant at) implements PlanPhase {
    public Stopping {
      reason = SafeText.clean(reason, 1024);
      by = SafeText.clean(by, 256);
    }
  }

  record Succeeded(Instant at) implements Ended {}

  record Failed(String reason, Instant at) implements Ended {
    public Failed {
      reason = SafeText.clean(reason, 4096);
    }
  }

  record Cancelled(String reason, String by, Instant at) implements Ended {}

  /// Cause of a plan's stop.
  enum StopCause {
    CANCEL,
    DEADLINE,
    GAVE_UP
  }
}
