package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a job is in its life, with what is true only there.
///
/// ```
/// Waiting ─▶ Pending ─▶ Claimed ─▶ Running ─▶ Succeeded │ Failed │ Cancelled
///               ▲          └──────────┴─▶ Stopping ─▶ ┘ (or back to Pending)
///               └──────────── a start left ◀──────────┘
/// ```
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
@JsonSubTypes({
  @JsonSubTypes.Type(value = Phase.Waiting.class, name = "waiting"),
  @JsonSubTypes.Type(value = Phase.Pending.class, name = "pending"),
  @JsonSubTypes.Type(value = Phase.Claimed.class, name = "claimed"),
  @JsonSubTypes.Type(value = Phase.Running.class, name = "running"),
  @JsonSubTypes.Type(value = Phase.Stopping.class, name = "stopping"),
  @JsonSubTypes.Type(value = Phase.Succeeded.class, name = "succeeded"),
  @JsonSubTypes.Type(value = Phase.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = Phase.Cancelled.class, name = "cancelled")
})
public sealed interface Phase {

  /// Not handed to anybody.
  sealed interface Idle extends Phase {}

  /// Over, for ever.
  sealed interface Ended extends Phase {
    Instant at();
  }

  /// Held until its plan releases it.
  record Waiting() implements Idle {}

  /// May be claimed once it is due. `scheduled` before that, `queued` after: time decides, no fact.
  record Pending(Instant due) implements Idle {}

  /// Handed to a worker that has not said yet that it started.
  record Claimed(Claimant by, Instant at) implements Phase {}

  record Running(Claimant by, Instant claimedAt, Instant startedAt) implements Phase {}

  /// Asked to stop, and not yet over. Whatever the attempt returns from here on is discarded.
  ///
  /// @param attempt what is running; null if nothing is, and only children are still to be stopped
  /// @param request who asked for the job's end; null if only the attempt is to end
  record Stopping(
      StopCause cause, Instant since, @Nullable Underway attempt, @Nullable CancelRequest request)
      implements Phase {}

  record Succeeded(Json result, Instant at) implements Ended {}

  record Failed(EndCause cause, JobError error, Instant at) implements Ended {}

  /// @param abandoned whether code of the job may have run on when it was cancelled
  /// @param discarded whether a result arrived after the request and was thrown away
  /// @param unanswered children that had not confirmed their end in time
  record Cancelled(
      CancelRequest request,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean abandoned,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean discarded,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<JobId> unanswered,
      Instant at)
      implements Ended {
    public Cancelled {
      unanswered = Trail.copy(unanswered);
    }
  }

  /// An attempt that has not ended.
  record Underway(Claimant by, Instant claimedAt, @Nullable Instant startedAt) {}

  /// Somebody's wish that the job ends.
  record CancelRequest(String reason, String by, Instant at) {
    public CancelRequest {
      reason = Text.clean(reason, 1024);
      by = Text.clean(by, 256);
    }
  }

  /// Why an attempt is being stopped.
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
