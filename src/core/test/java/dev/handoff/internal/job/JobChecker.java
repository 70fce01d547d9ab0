package dev.handoff.internal.job;

import org.jspecify.annotations.Nullable;

/// Second, independent formulation of a job's rules: the life of a job as seen from its ledger.
/// Checks fact after fact, and fails at the first illegal one. Numbers of violations are those of
/// the engine's invariants.
///
/// @param attempt highest claimed number
/// @param open whether that attempt has not ended
/// @param paid claims since the submission or the last retry, without returned ones
/// @param causes recorded causes for another start, in total
/// @param calls calls of a handler, in total
/// @param reopenings retries by operators, and postponements by the handler
public record JobChecker(
    Life life,
    int maxAttempts,
    int attempt,
    boolean open,
    boolean stopping,
    boolean cancelling,
    int paid,
    int causes,
    int calls,
    int reopenings) {

  public enum Life {
    NONE,
    HELD,
    IDLE,
    CLAIMED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELLED
  }

  public static final JobChecker NEW =
      new JobChecker(Life.NONE, 0, 0, false, false, false, 0, 0, 0, 0);

  /// Illegal fact.
  public static final class Violation extends AssertionError {
    Violation(String invariant, Object what, JobChecker at) {
      super(invariant + ": " + what + " in " + at);
    }
  }

  public JobChecker next(JobFact fact) {
    require(!isOver() || fact instanceof JobFact.Reopened, "I6 terminal is for ever", fact);
    require(
        life != Life.NONE || fact instanceof JobFact.Submitted, "I2 first of all Submitted", fact);
    return switch (fact) {
      case JobFact.Submitted(var spec, var at, boolean held) -> submitted(spec, held, fact);
      case JobFact.Released released -> released(fact);
      case JobFact.Claimed(int number, var by, var at) -> claimed(number, fact);
      case JobFact.Started(int number, var at) -> started(number, fact);
      case JobFact.Returned(int number, var cause, var notes, var at) ->
          returned(number, cause, fact);
      case JobFact.Postponed later -> postponed(later.attempt(), fact);
      case JobFact.Succeeded won -> succeeded(won.attempt(), fact);
      case JobFact.RetryScheduled(var end, var due) -> again(end, fact);
      case JobFact.Failed(var end) -> failed(end, fact);
      case JobFact.StopRequested(int number, var cause, var at) -> stop(number, fact);
      case JobFact.CancelRequested requested -> cancel(fact);
      case JobFact.AttemptStopped(var end) -> attemptStopped(end, fact);
      case JobFact.Cancelled over -> cancelled();
      case JobFact.Reopened opened -> reopened(fact);
      case JobFact.Checkpointed(int number, var value) -> fromAttempt(number, fact);
      case JobFact.Noted(int number, var notes) -> fromAttempt(number, fact);
      case JobFact.ChildAdded child -> childAdded(fact);
      case JobFact.LateReport(int number, var what, var at) -> late(number, fact);
    };
  }

  /// Checks an accepted command: only the current attempt's commands may change the job. Commands
  /// of other attempts may at most be recorded.
  public void accepted(JobCommand command, JobDecision decision) {
    var sender = sender(command);
    boolean onRecord = decision.facts().stream().allMatch(JobFact.LateReport.class::isInstance);
    require(
        sender == null || onRecord || open && sender == attempt,
        "I5 only the current attempt",
        command);
  }

  private static @Nullable Integer sender(JobCommand command) {
    return switch (command) {
      case JobCommand.OfAttempt about -> about.attempt();
      case JobCommand.AddChild(int number, var child) -> number;
      case JobCommand.OfJob nobody -> null;
      case JobCommand.Internal nobody -> null;
    };
  }

  /// Records a handler call: at most one call for each recorded cause, plus the first one.
  public JobChecker called() {
    var after = with(life, open, stopping, cancelling, paid, causes, calls + 1);
    require(after.calls <= 1 + causes, "I8 a start without a cause", "a handler's start");
    require(
        maxAttempts > 1 || after.calls <= 1 + reopenings, "I9 at most once", "a handler's start");
    return after;
  }

  private JobChecker submitted(JobSpec spec, boolean held, JobFact fact) {
    require(life == Life.NONE, "I7 submitted once", fact);
    return new JobChecker(
        held ? Life.HELD : Life.IDLE,
        spec.options().maxAttempts(),
        0,
        false,
        false,
        false,
        0,
        0,
        0,
        0);
  }

  private JobChecker released(JobFact fact) {
    require(life == Life.HELD, "I7 only what is held is released", fact);
    return with(Life.IDLE, false, false, false, paid, causes, calls);
  }

  private JobChecker claimed(int number, JobFact fact) {
    require(life == Life.IDLE && !open && !stopping, "I7 only what waits is claimed", fact);
    require(number > attempt, "I4 attempts rise", fact);
    require(paid < maxAttempts, "I8 no start is left", fact);
    return new JobChecker(
        Life.CLAIMED, maxAttempts, number, true, false, false, paid + 1, causes, calls, reopenings);
  }

  private JobChecker started(int number, JobFact fact) {
    requireCurrent(number, fact);
    require(life == Life.CLAIMED, "I7 started once", fact);
    return with(Life.RUNNING, open, stopping, cancelling, paid, causes, calls);
  }

  private JobChecker returned(int number, EndCause cause, JobFact fact) {
    requireCurrent(number, fact);
    require(!cancelling, "I12 a cancelled job does not go on", fact);
    require(
        cause == EndCause.SHUTDOWN || cause == EndCause.NEVER_STARTED,
        "I8 only those cost no start",
        fact);
    require(cause != EndCause.NEVER_STARTED || life == Life.CLAIMED, "I8 it had started", fact);
    require(cause != EndCause.SHUTDOWN || maxAttempts > 1, "I9 it may have been started", fact);
    int more = cause == EndCause.SHUTDOWN ? 1 : 0;
    return with(Life.IDLE, false, false, false, paid - 1, causes + more, calls);
  }

  /// The handler asked for a later call: this is a cause, and costs no start.
  private JobChecker postponed(int number, JobFact fact) {
    requireCurrent(number, fact);
    require(!stopping, "I12 a job that is to stop does not go on", fact);
    return new JobChecker(
        Life.IDLE,
        maxAttempts,
        attempt,
        false,
        false,
        false,
        paid - 1,
        causes + 1,
        calls,
        reopenings + 1);
  }

  private JobChecker succeeded(int number, JobFact fact) {
    requireCurrent(number, fact);
    require(!stopping, "I12 no success after a stop was ordered", fact);
    return with(Life.SUCCEEDED, false, false, false, paid, causes, calls);
  }

  private JobChecker again(JobFact.AttemptEnd end, JobFact fact) {
    requireCurrent(end.attempt(), fact);
    require(!cancelling, "I12 a cancelled job does not go on", fact);
    require(paid < maxAttempts, "I8 no start is left", fact);
    require(maxAttempts > 1, "I9 at most once", fact);
    return with(Life.IDLE, false, false, false, paid, causes + 1, calls);
  }

  private JobChecker failed(JobFact.AttemptEnd end, JobFact fact) {
    require(end.attempt() == attempt, "I5 only the current attempt", fact);
    require(!cancelling, "I12 a cancelled job is cancelled", fact);
    return with(Life.FAILED, false, false, false, paid, causes, calls);
  }

  private JobChecker stop(int number, JobFact fact) {
    requireCurrent(number, fact);
    require(!stopping, "I7 stopped once", fact);
    return with(life, open, true, false, paid, causes, calls);
  }

  private JobChecker cancel(JobFact fact) {
    require(!cancelling, "I7 cancelled once", fact);
    return with(life, open, true, true, paid, causes, calls);
  }

  private JobChecker attemptStopped(JobFact.AttemptEnd end, JobFact fact) {
    requireCurrent(end.attempt(), fact);
    require(cancelling, "I7 only while it is cancelled", fact);
    return with(Life.IDLE, false, true, true, paid, causes, calls);
  }

  private JobChecker cancelled() {
    return with(Life.CANCELLED, false, false, false, paid, causes, calls);
  }

  private JobChecker reopened(JobFact fact) {
    require(life == Life.FAILED || life == Life.CANCELLED, "I6 a success stays one", fact);
    return new JobChecker(
        Life.IDLE, maxAttempts, attempt, false, false, false, 0, causes + 1, calls, reopenings + 1);
  }

  private JobChecker fromAttempt(int number, JobFact fact) {
    requireCurrent(number, fact);
    return this;
  }

  private JobChecker childAdded(JobFact fact) {
    require(open, "I5 only a running attempt has children", fact);
    require(!stopping, "I7 nothing new once a stop was ordered", fact);
    return this;
  }

  private JobChecker late(int number, JobFact fact) {
    require(number < attempt || !open, "I5 the current attempt is not late", fact);
    return this;
  }

  private boolean isOver() {
    return life == Life.SUCCEEDED || life == Life.FAILED || life == Life.CANCELLED;
  }

  private void requireCurrent(int number, JobFact fact) {
    require(open && number == attempt, "I5 only the current attempt", fact);
  }

  private void require(boolean holds, String invariant, Object what) {
    if (!holds) {
      throw new Violation(invariant, what, this);
    }
  }

  private JobChecker with(
      Life next,
      boolean isOpen,
      boolean isStopping,
      boolean isCancelling,
      int starts,
      int recorded,
      int made) {
    return new JobChecker(
        next,
        maxAttempts,
        attempt,
        isOpen,
        isStopping,
        isCancelling,
        starts,
        recorded,
        made,
        reopenings);
  }
}
