package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a job can be asked, or told about its attempt. Pure: who asked and who wants the answer
/// travels in the envelope, [Job.Command].
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
@JsonSubTypes({
  @JsonSubTypes.Type(value = JobCommand.Release.class, name = "release"),
  @JsonSubTypes.Type(value = JobCommand.Claim.class, name = "claim"),
  @JsonSubTypes.Type(value = JobCommand.Started.class, name = "started"),
  @JsonSubTypes.Type(value = JobCommand.Report.class, name = "report"),
  @JsonSubTypes.Type(value = JobCommand.TimeOut.class, name = "time-out"),
  @JsonSubTypes.Type(value = JobCommand.LoseWorker.class, name = "lose-worker"),
  @JsonSubTypes.Type(value = JobCommand.Cancel.class, name = "cancel"),
  @JsonSubTypes.Type(value = JobCommand.SettleChildren.class, name = "settle-children"),
  @JsonSubTypes.Type(value = JobCommand.Retry.class, name = "retry"),
  @JsonSubTypes.Type(value = JobCommand.Checkpoint.class, name = "checkpoint"),
  @JsonSubTypes.Type(value = JobCommand.Note.class, name = "note"),
  @JsonSubTypes.Type(value = JobCommand.AddChild.class, name = "add-child"),
  @JsonSubTypes.Type(value = JobCommand.GiveUp.class, name = "give-up")
})
public sealed interface JobCommand {

  /// What only the job's actor asks of its state, as a part of something larger. Never sent with
  /// [Job.Do].
  sealed interface Internal extends JobCommand {}

  /// What names an attempt, and is answered with its number: an answer that comes twice, or late,
  /// is then never taken for that of a later attempt.
  sealed interface OfAttempt extends JobCommand {
    int attempt();
  }

  /// The type of error that stands for an outcome which the store refused.
  String UNSTORABLE = "not-storable";

  /// Lets a waiting job become ready. Idempotent.
  record Release() implements JobCommand {}

  /// Hands the job to a worker. Valid while the job is pending and due.
  record Claim(Claimant by) implements Internal {}

  /// The worker has called the handler. Idempotent.
  record Started(int attempt) implements OfAttempt {}

  /// The worker says how the attempt ended, until it is told that this is recorded. Idempotent.
  record Report(int attempt, AttemptReport report, Notes notes) implements OfAttempt {

    /// The same end without the content that the store refused; empty if there is nothing to leave
    /// out.
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
      return new Report(attempt, new AttemptReport.Threw(error, forGood, why), Notes.NONE);
    }

    private Optional<Report> withoutNotes() {
      return notes.equals(Notes.NONE)
          ? Optional.empty()
          : Optional.of(new Report(attempt, report, Notes.NONE));
    }
  }

  /// The attempt ran too long, or was silent for too long.
  record TimeOut(int attempt, Phase.StopCause cause) implements OfAttempt {
    public TimeOut {
      if (cause == Phase.StopCause.CANCEL) {
        throw new IllegalArgumentException("a cancel is no timeout: send Cancel");
      }
    }
  }

  /// The attempt's worker is gone, or does not know the attempt.
  record LoseWorker(int attempt) implements OfAttempt {}

  /// Ends the job. Idempotent.
  record Cancel(String reason, String by) implements JobCommand {}

  /// All children of a cancelled job have ended, but for the ones named.
  record SettleChildren(List<JobId> unanswered) implements Internal {
    public SettleChildren {
      unanswered = List.copyOf(unanswered);
    }
  }

  /// Opens a failed or cancelled job again.
  ///
  /// @param withPlan whether the plan that the job is a step of is opened again, and says so
  record Retry(String by, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean withPlan)
      implements JobCommand {
    public Retry(String by) {
      this(by, false);
    }
  }

  /// Keeps a value for the next attempt.
  record Checkpoint(int attempt, Json value) implements OfAttempt {}

  /// Keeps log lines and progress.
  record Note(int attempt, Notes notes) implements OfAttempt {}

  /// Adds a job that the running attempt submits.
  record AddChild(int attempt, Child child) implements Internal {}

  /// Ends the job because its own actor cannot go on.
  record GiveUp(JobError error) implements JobCommand {}
}
