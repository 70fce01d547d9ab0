package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.ledger.StoredEvent;
import dev.handoff.internal.text.SafeText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Fact of a job, durable before any reply or message shows it; [JobFact.Started] alone is not
/// awaited. Facts stay readable for ever: new versions only add fields.
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

  record Claimed(int attempt, ClaimingWorker by, Instant at) implements JobFact {}

  record Started(int attempt, Instant at) implements JobFact {}

  /// The attempt ended without costing a start.
  record Returned(int attempt, EndCause cause, @AttemptNotes.IfAny AttemptNotes notes, Instant at)
      implements JobFact {
    public Returned {
      notes = AttemptNotes.orNone(notes);
    }
  }

  /// The attempt ended because its handler requested a later one. It cost no start.
  record Postponed(int attempt, Instant due, @AttemptNotes.IfAny AttemptNotes notes, Instant at)
      implements JobFact {
    public Postponed {
      notes = AttemptNotes.orNone(notes);
    }
  }

  /// @param contribution changes and decisions for the plan; null = none
  record Succeeded(
      int attempt,
      Json result,
      @AttemptNotes.IfAny AttemptNotes notes,
      Instant at,
      @Nullable StepContribution contribution)
      implements JobFact {
    public Succeeded {
      notes = AttemptNotes.orNone(notes);
    }

    public Succeeded(int attempt, Json result, AttemptNotes notes, Instant at) {
      this(attempt, result, notes, at, null);
    }
  }

  record RetryScheduled(AttemptEnd end, Instant due) implements JobFact {}

  record Failed(AttemptEnd end) implements JobFact {}

  record StopRequested(int attempt, JobPhase.StopCause cause, Instant at) implements JobFact {}

  record CancelRequested(JobPhase.CancelRequest request) implements JobFact {}

  /// The attempt of a cancelled job ended; children may still run.
  record AttemptStopped(AttemptEnd end) implements JobFact {}

  record Cancelled(
      JobPhase.CancelRequest request,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean abandoned,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean discarded,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<JobId> unanswered,
      @AttemptNotes.IfAny AttemptNotes notes,
      Instant at)
      implements JobFact {
    public Cancelled {
      unanswered = JobTrail.copy(unanswered);
      notes = AttemptNotes.orNone(notes);
    }
  }

  /// An ended job is reopened, with its state from history.
  record Reopened(JobState state, String by, Instant at) implements JobFact {
    public Reopened {
      by = SafeText.clean(by, 256);
    }
  }

  record Checkpointed(int attempt, Json value) implements JobFact {}

  record Noted(int attempt, AttemptNotes notes) implements JobFact {}

  record ChildAdded(ChildJob child) implements JobFact {}

  /// A report arrived after its attempt's end. It changes only that attempt's record.
  record LateReport(int attempt, String what, Instant at) implements JobFact {}

  /// End of an attempt without success.
  ///
  /// @param discarded whether a result arrived too late and was discarded
  record AttemptEnd(
      int attempt,
      EndCause cause,
      JobError error,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean abandoned,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean discarded,
      @AttemptNotes.IfAny AttemptNotes notes,
      Instant at) {
    public AttemptEnd {
      notes = AttemptNotes.orNone(notes);
    }
  }
}
