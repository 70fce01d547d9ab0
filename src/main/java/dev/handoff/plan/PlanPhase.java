package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.job.Text;
import java.time.Instant;

/// Where a plan is in its life.
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

  /// Over, unless somebody opens it again.
  sealed interface Ended extends PlanPhase {
    Instant at();
  }

  /// A child plan whose turn has not come.
  record Waiting() implements PlanPhase {}

  record Running(Instant since) implements PlanPhase {}

  /// Every step that has not ended is being cancelled.
  record Stopping(StopCause cause, String reason, String by, Instant at) implements PlanPhase {
    public Stopping {
      reason = Text.clean(reason, 1024);
      by = Text.clean(by, 256);
    }
  }

  record Succeeded(Instant at) implements Ended {}

  record Failed(String reason, Instant at) implements Ended {
    public Failed {
      reason = Text.clean(reason, 4096);
    }
  }

  record Cancelled(String reason, String by, Instant at) implements Ended {}

  /// Why a plan is stopped.
  enum StopCause {
    CANCEL,
    DEADLINE,
    GAVE_UP
  }
}
