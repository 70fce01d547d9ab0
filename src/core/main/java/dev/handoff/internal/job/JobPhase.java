package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.text.SafeText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Phase of a job's life, with the fields of that phase.
///
/// ```
/// Waiting ─▶ Pending ─▶ Claimed ─▶ Running ─▶ Succeeded │ Failed │ Cancelled
///               ▲          └──────────┴─▶ Stopping ─▶ ┘ (or back to Pending)
///               └──────────── a start left ◀──────────┘
/// ```
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
@JsonSubTypes({
  @JsonSubTypes.Type(value = JobPhase.Waiting.class, name = "waiting"),
  @JsonSubTypes.Type(value = JobPhase.Pending.class, name = "pending"),
  @JsonSubTypes.Type(value = JobPhase.Claimed.class, name = "claimed"),
  @JsonSubTypes.Type(value = JobPhase.Running.class, name = "running"),
  @JsonSubTypes.Type(value = JobPhase.Stopping.class, name = "stopping"),
  @JsonSubTypes.Type(value = JobPhase.Succeeded.class, name = "succeeded"),
  @JsonSubTypes.Type(value = JobPhase.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = JobPhase.Cancelled.class, name = "cancelled")
})
public sealed interface JobPhase {

  /// Phase of a job that has not ended.
  sealed interface Live extends JobPhase {}

  /// Phase before a claim.
  sealed interface Idle extends Live {}

  /// Phase of an attempt that nothing has asked to stop.
  sealed interface Assigned extends Live {}

  /// Terminal phase.
  sealed interface Ended extends JobPhase {
    Instant at();
  }

  /// Held until the plan releases the job.
  record Waiting() implements Idle {}

  /// Claimable when due. The status then changes from `scheduled` to `queued` without a fact.
  record Pending(Instant due) implements Idle {}

  /// Assigned to a worker that has not reported the start yet.
  record Claimed(ClaimingWorker by, Instant at) implements Assigned {}

  record Running(ClaimingWorker by, Instant claimedAt, Instant startedAt) implements Assigned {}

  /// Stop requested, end pending. A later result of the attempt is discarded.
  ///
  /// @param attempt running attempt; null if only children are still to be stopped
  /// @param request cancel of the job; null if only the attempt is to end
  record Stopping(
      StopCause cause, Instant since, @Nullable Underway attempt, @Nullable CancelRequest request)
      implements Live {}

  record Succeeded(Json result, Instant at) implements Ended {}

  record Failed(EndCause cause, JobError error, Instant at) implements Ended {}

  /// @param abandoned whether code of the job may have run on after the cancel
  /// @param discarded whether a result arrived after the request and was discarded
  /// @param unanswered children that did not confirm their end in time
  record Cancelled(
      CancelRequest request,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean abandoned,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean discarded,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<JobId> unanswered,
      Instant at)
      implements Ended {
    public Cancelled {
      unanswered = JobTrail.copy(unanswered);
    }
  }

  /// Attempt that has not ended.
  record Underway(ClaimingWorker by, Instant claimedAt, @Nullable Instant startedAt) {}

  /// Request to cancel the job.
  record CancelRequest(String reason, String by, Instant at) {
    public CancelRequest {
      reason = SafeText.clean(reason, 1024);
      by = SafeText.clean(by, 256);
    }
  }

  /// Cause of a stop.
  enum StopCause {
    CANCEL,
    TIMEOUT,
    HEARTBEAT;

    EndCause end() {
      return switch (this) {
        case CANCEL -> EndCause.CANCELLED;
        case TIMEOUT -> EndCause.TIMED_OUT;
        case HEARTBEAT -> EndCause.HEARTBEAT_LOST;
      };
    }
  }
}
