package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.ledger.StoredEvent;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What can happen to a job. A fact is written before anybody hears of it, and read for ever:
/// fields are only added.
@JsonSubTypes({
  @JsonSubTypes.Type(value = JobFact.Submitted.class, name = "submitted"),
  @JsonSubTypes.Type(value = JobFact.Released.class, name = "released"),
  @JsonSubTypes.Type(value = JobFact.Claimed.class, name = "claimed"),
  @JsonSubTypes.Type(value = JobFact.Started.class, name = "started"),
  @JsonSubTypes.Type(value = JobFact.Returned.class, name = "returned"),
  @JsonSubTypes.Type(value = JobFact.Postponed.class, name = "postponed"),
  @JsonSubTypes.Type(value = JobFact.Succeeded.class, name = "succeeded"),
  @JsonSubTypes.Type(value = JobFact.RetryScheduled.class, name = "retry-scheduled"),
  @JsonSubTypes.Type(value = JobFact.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = JobFact.StopRequested.class, name = "stop-requested"),
  @JsonSubTypes.Type(value = JobFact.CancelRequested.class, name = "cancel-requested"),
  @JsonSubTypes.Type(value = JobFact.AttemptStopped.class, name = "attempt-stopped"),
  @JsonSubTypes.Type(value = JobFact.Cancelled.class, name = "cancelled"),
  @JsonSubTypes.Type(value = JobFact.Reopened.class, name = "reopened"),
  @JsonSubTypes.Type(value = JobFact.Checkpointed.class, name = "checkpointed"),
  @JsonSubTypes.Type(value = JobFact.Noted.class, name = "noted"),
  @JsonSubTypes.Type(value = JobFact.ChildAdded.class, name = "child-added"),
  @JsonSubTypes.Type(value = JobFact.LateReport.class, name = "late-report")
})
public sealed interface JobFact extends StoredEvent {

  /// @param held whether the job waits until its plan releases it
  record Submitted(
      JobSpec spec, Instant at, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean held)
      implements JobFact {}

  record Released(Instant at) implements JobFact {}

  record Claimed(int attempt, Claimant by, Instant at) implements JobFact {}

  record Started(int attempt, Instant at) implements JobFact {}

  /// The attempt is over and did not cost a start.
  record Returned(int attempt, EndCause cause, @Notes.IfAny Notes notes, Instant at)
      implements JobFact {
    public Returned {
      notes = Notes.orNone(notes);
    }
  }

  /// The attempt is over because its handler wanted another one at a later time. That costs no
  /// start.
  record Postponed(int attempt, Instant due, @Notes.IfAny Notes notes, Instant at)
      implements JobFact {
    public Postponed {
      notes = Notes.orNone(notes);
    }
  }

  /// @param contribution what the attempt leaves in its plan; null = nothing
  record Succeeded(
      int attempt,
      Json result,
      @Notes.IfAny Notes notes,
      Instant at,
      @Nullable Contribution contribution)
      implements JobFact {
    public Succeeded {
      notes = Notes.orNone(notes);
    }

    public Succeeded(int attempt, Json result, Notes notes, Instant at) {
      this(attempt, result, notes, at, null);
    }
  }

  record RetryScheduled(AttemptEnd end, Instant due) implements JobFact {}

  record Failed(AttemptEnd end) implements JobFact {}

  record StopRequested(int attempt, Phase.StopCause cause, Instant at) implements JobFact {}

  record CancelRequested(Phase.CancelRequest request) implements JobFact {}

  /// The attempt of a job that is being cancelled is over; its children are not yet.
  record AttemptStopped(AttemptEnd end) implements JobFact {}

  record Cancelled(
      Phase.CancelRequest request,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean abandoned,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean discarded,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<JobId> unanswered,
      @Notes.IfAny Notes notes,
      Instant at)
      implements JobFact {
    public Cancelled {
      unanswered = Trail.copy(unanswered);
      notes = Notes.orNone(notes);
    }
  }

  /// An ended job is opened again with what history knew of it.
  record Reopened(JobState state, String by, Instant at) implements JobFact {
    public Reopened {
      by = Text.clean(by, 256);
    }
  }

  record Checkpointed(int attempt, Json value) implements JobFact {}

  record Noted(int attempt, Notes notes) implements JobFact {}

  record ChildAdded(Child child) implements JobFact {}

  /// Something arrived of an attempt that was over. It changes nothing but the record of that
  /// attempt.
  record LateReport(int attempt, String what, Instant at) implements JobFact {}

  /// How an attempt ended without success.
  ///
  /// @param discarded whether it had a result, which was thrown away because it came too late
  record AttemptEnd(
      int attempt,
      EndCause cause,
      JobError error,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean abandoned,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean discarded,
      @Notes.IfAny Notes notes,
      Instant at) {
    public AttemptEnd {
      notes = Notes.orNone(notes);
    }
  }
}
