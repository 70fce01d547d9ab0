package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Command to a job, or report about its attempt. Pure: requester and `replyTo` travel in the
/// envelope, [Job.Command].
public sealed interface JobCommand {

  /// Command of the job's actor to its own state. No message carries such a command.
  sealed interface Internal extends JobCommand {}

  /// Command of a caller about the job as a whole. Sent with [Job.Do].
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Release.class, name = "release"),
    @JsonSubTypes.Type(value = Cancel.class, name = "cancel"),
    @JsonSubTypes.Type(value = Retry.class, name = "retry"),
    @JsonSubTypes.Type(value = GiveUp.class, name = "give-up")
  })
  sealed interface OfJob extends JobCommand {}

  /// Command about an attempt. Sent with [Job.UpdateAttempt]. The reply has the attempt's number,
  /// so that a doubled or late reply is never attributed to a later attempt.
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Started.class, name = "started"),
    @JsonSubTypes.Type(value = Report.class, name = "report"),
    @JsonSubTypes.Type(value = TimeOut.class, name = "time-out"),
    @JsonSubTypes.Type(value = LoseWorker.class, name = "lose-worker"),
    @JsonSubTypes.Type(value = Checkpoint.class, name = "checkpoint"),
    @JsonSubTypes.Type(value = Note.class, name = "note")
  })
  sealed interface OfAttempt extends JobCommand {
    int attempt();
  }

  /// Error type of an outcome that the store refused.
  String UNSTORABLE = "not-storable";

  /// Lets a waiting job become ready. Idempotent.
  record Release() implements OfJob {}

  /// Assigns the job to a worker. Valid while the job is pending and due.
  record Claim(ClaimingWorker by) implements Internal {}

  /// The worker has called the handler. Idempotent.
  record Started(int attempt) implements OfAttempt {}

  /// The worker reports the attempt's end repeatedly until the job has recorded it. Idempotent.
  record Report(int attempt, AttemptReport report, AttemptNotes notes) implements OfAttempt {

    /// Returns the report without the refused content; empty if nothing can be omitted.
    Optional<Report> storable(String reason) {
      return switch (report) {
        case AttemptReport.Returned returned ->
            Optional.of(unstorable("result", reason, false, null));
        case AttemptReport.Threw(var error, boolean forGood, var why)
            when !error.type().equals(UNSTORABLE) ->
            Optional.of(unstorable("error", reason, forGood, why));
        case AttemptReport.Threw bare -> withoutNotes();
        case AttemptReport.Later later -> withoutNotes();
        case AttemptReport.Stopped stopped -> withoutNotes();
        case AttemptReport.Abandoned running -> withoutNotes();
        case AttemptReport.NeverStarted none -> withoutNotes();
      };
    }

    private Report unstorable(String what, String reason, boolean forGood, @Nullable String why) {
      var error = JobError.of(UNSTORABLE, "its " + what + " cannot be stored: " + reason);
      return new Report(attempt, new AttemptReport.Threw(error, forGood, why), AttemptNotes.NONE);
    }

    private Optional<Report> withoutNotes() {
      return notes.equals(AttemptNotes.NONE)
          ? Optional.empty()
          : Optional.of(new Report(attempt, report, AttemptNotes.NONE));
    }
  }

  /// The attempt exceeded its timeout or its heartbeat timeout.
  record TimeOut(int attempt, JobPhase.StopCause cause) implements OfAttempt {
    public TimeOut {
      if (cause == JobPhase.StopCause.CANCEL) {
        throw new IllegalArgumentException("a cancel is no timeout: send Cancel");
      }
    }
  }

  /// The attempt's worker is gone, or does not know the attempt.
  record LoseWorker(int attempt) implements OfAttempt {}

  /// Cancels the job. Idempotent.
  record Cancel(String reason, String by) implements OfJob {}

  /// All children of a cancelled job have ended, except the unanswered ones.
  record SettleChildren(List<JobId> unanswered) implements Internal {
    public SettleChildren {
      unanswered = List.copyOf(unanswered);
    }
  }

  /// Reopens a failed or cancelled job.
  ///
  /// @param withPlan whether the retry comes from the job's plan, which is reopened too
  record Retry(String by, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean withPlan)
      implements OfJob {
    public Retry(String by) {
      this(by, false);
    }
  }

  /// Stores a checkpoint for the next attempt.
  record Checkpoint(int attempt, Json value) implements OfAttempt {}

  /// Stores log lines and progress.
  record Note(int attempt, AttemptNotes notes) implements OfAttempt {}

  /// Adds a child that the running attempt submits.
  record AddChild(int attempt, ChildJob child) implements Internal {}

  /// Ends a job whose actor fails repeatedly.
  record GiveUp(JobError error) implements OfJob {}
}
