package dev.handoff.job;

import java.util.List;

/// What a job can be asked, or told about its attempt. Pure: who asked and who wants the answer travels in the
/// envelope, [Job.Command].
public sealed interface JobCommand {

  /// Lets a waiting job become ready. Idempotent.
  record Release() implements JobCommand {}

  /// Hands the job to a worker. Valid while the job is pending and due.
  record Claim(Claimant by) implements JobCommand {}

  /// The worker has called the handler. Idempotent.
  record Started(int attempt) implements JobCommand {}

  /// The worker says how the attempt ended, until it is told that this is recorded. Idempotent.
  record Report(int attempt, AttemptReport report, Notes notes) implements JobCommand {}

  /// The attempt ran too long, or was silent for too long.
  record TimeOut(int attempt, Phase.StopCause cause) implements JobCommand {}

  /// The attempt's worker is gone, or does not know the attempt.
  record LoseWorker(int attempt) implements JobCommand {}

  /// Ends the job. Idempotent.
  record Cancel(String reason, String by) implements JobCommand {}

  /// All children of a cancelled job have ended, but for the ones named.
  record SettleChildren(List<JobId> unanswered) implements JobCommand {
    public SettleChildren {
      unanswered = List.copyOf(unanswered);
    }
  }

  /// Opens a failed or cancelled job again.
  record Retry(String by) implements JobCommand {}

  /// Keeps a value for the next attempt.
  record Checkpoint(int attempt, Json value) implements JobCommand {}

  /// Keeps log lines and progress.
  record Note(int attempt, Notes notes) implements JobCommand {}

  /// Adds a job that the running attempt submits.
  record AddChild(int attempt, Child child) implements JobCommand {}

  /// Ends the job because its own actor cannot go on.
  record GiveUp(JobError error) implements JobCommand {}
}
