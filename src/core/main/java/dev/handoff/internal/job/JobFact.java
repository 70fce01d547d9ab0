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

  /// Fact that opens the job: its submission, its release by a plan, or its retry.
  sealed interface Opening extends JobFact {}

  /// Fact of an open job.
  sealed interface Ongoing extends JobFact {}

  /// Fact that ends the attempt, but not the job.
  sealed interface AttemptOver extends Ongoing {}

  /// Fact for the record only: no message follows from it.
  sealed interface ForRecord extends Ongoing {}

  /// Fact that ends the job.
  sealed interface Ending extends JobFact {}

  /// @param held whether the job waits until its plan releases it
  record Submitted(
      JobSpec spec, Instant at, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean held)
      implements Opening {}

  record Released(Instant at) implements Opening {}

  record Claimed(int attempt, ClaimingWorker by, Instant at) implements Ongoing {}

  record Started(int attempt, Instant at) implements ForRecord {}

  /// The attempt ended without costing a start.
  record Returned(int attempt, EndCause cause, @AttemptNotes.IfAny AttemptNotes notes, Instant at)
      implements AttemptOver {
    public Returned {
      notes = AttemptNotes.orNone(notes);
    }
  }

  /// The attempt ended because its handler requested a later one. It cost no start.
  record Postponed(int attempt, Instant due, @AttemptNotes.IfAny AttemptNotes notes, Instant at)
      implements AttemptOver {
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
      implements Ending {
    public Succeeded {
      notes = AttemptNotes.orNone(notes);
    }

    public Succeeded(int attempt, Json result, AttemptNotes notes, Instant at) {
      this(attempt, result, notes, at, null);
    }
  }

  record RetryScheduled(AttemptEnd end, Instant due) implements AttemptOver {}

  record Failed(AttemptEnd end) implements Ending {}

  record StopRequested(int attempt, JobPhase.StopCause cause, Instant at) implements Ongoing {}

  record CancelRequested(JobPhase.CancelRequest request) implements Ongoing {}

  /// The attempt of a cancelled job ended; children may still run.
  record AttemptStopped(AttemptEnd end) implements AttemptOver {}

  record Cancelled(
      JobPhase.CancelRequest request,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean abandoned,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean discarded,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<JobId> unanswered,
      @AttemptNotes.IfAny AttemptNotes notes,
      Instant at)
      implements Ending {
    public Cancelled {
      unanswered = JobTrail.copy(unanswered);
      notes = AttemptNotes.orNone(notes);
    }
  }

  /// An ended job is reopened, with its state from history.
  record Reopened(JobState state, String by, Instant at) implements Opening {
    public Reopened {
      by = SafeText.clean(by, 256);
    }
  }

  record Checkpointed(int attempt, Json value) implements ForRecord {}

  record Noted(int attempt, AttemptNotes notes) implements ForRecord {}

  record ChildAdded(ChildJob child) implements ForRecord {}

  /// A report arrived after its attempt's end. It changes only that attempt's record.
  record LateReport(int attempt, String what, Instant at) implements ForRecord {}

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
