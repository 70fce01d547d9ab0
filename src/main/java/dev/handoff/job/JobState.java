package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.handoff.ledger.EntityState;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// All there is to know about a job: an immutable value, made by folding its facts.
///
/// [#decide] says what a command leads to, [#apply] what a fact makes of the state. Neither reads a
/// clock, throws dice or knows an actor, so every transition can be tried out by calling them.
///
/// @param version how many facts have been folded into it
/// @param attempt the number of the last attempt: the fence. Rises with every claim
/// @param starts how many starts have been used up since the submission or the last retry by an
///   operator
@JsonTypeName("job")
public record JobState(
    JobId id,
    JobSpec spec,
    Instant createdAt,
    long version,
    int attempt,
    int starts,
    Phase phase,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = Trail.Nothing.class) Trail trail)
    implements EntityState {

  public JobState {
    trail = trail == null ? Trail.NONE : trail;
  }

  /// The state of a job with its first fact.
  public static JobState create(JobId id, JobFact.Submitted submitted) {
    var spec = submitted.spec();
    var at = submitted.at();
    Phase phase = submitted.held() ? new Phase.Waiting() : new Phase.Pending(due(spec, at));
    return new JobState(id, spec, at, 1, 0, 0, phase, Trail.NONE);
  }

  /// What the command leads to in this state. Total: every command has an answer in every state.
  public Decision decide(JobCommand command, Instant now, RandomGenerator random) {
    return new Transitions(this, now, random).decide(command);
  }

  /// The state after a fact. Folds whatever the ledger holds: what may happen was decided before it
  /// was written.
  public JobState apply(JobFact fact) {
    return switch (fact) {
      case JobFact.Submitted again -> this;
      case JobFact.Released(var at) -> to(new Phase.Pending(due(spec, at)));
      case JobFact.Claimed(int number, var by, var at) ->
          claimed(number, new Phase.Claimed(by, at));
      case JobFact.Started(int number, var at) -> started(at);
      case JobFact.Returned(int number, var cause, var notes, var at) -> free(cause, notes, at, at);
      case JobFact.Postponed(int number, var due, var notes, var at) ->
          free(EndCause.LATER, notes, at, due);
      case JobFact.Succeeded won -> won(won);
      case JobFact.RetryScheduled(var end, var due) -> ended(end, new Phase.Pending(due));
      case JobFact.Failed(var end) ->
          ended(end, new Phase.Failed(end.cause(), end.error(), end.at()));
      case JobFact.StopRequested(int number, var cause, var at) ->
          to(new Phase.Stopping(cause, at, underway().orElse(null), null));
      case JobFact.CancelRequested(var request) -> to(stopping(request));
      case JobFact.AttemptStopped(var end) -> ended(end, withoutAttempt());
      case JobFact.Cancelled cancelled -> cancelled(cancelled);
      case JobFact.Reopened(var state, var by, var at) -> state.reopened(by, at);
      case JobFact.Checkpointed(int number, var value) -> with(trail.withCheckpoint(value));
      case JobFact.Noted(int number, var notes) -> with(trail.plusNotes(notes));
      case JobFact.ChildAdded(var child) -> with(trail.plus(child));
      case JobFact.LateReport(int number, var what, var at) -> with(trail.withLate(number, what));
    };
  }

  /// The status that users see at the given time.
  public JobStatus status(Instant now) {
    return switch (phase) {
      case Phase.Waiting waiting -> JobStatus.WAITING;
      case Phase.Pending pending -> isDue(now) ? JobStatus.QUEUED : JobStatus.SCHEDULED;
      case Phase.Claimed claimed -> JobStatus.CLAIMED;
      case Phase.Running running -> JobStatus.RUNNING;
      case Phase.Stopping stopping -> JobStatus.CANCELLING;
      case Phase.Succeeded succeeded -> JobStatus.SUCCEEDED;
      case Phase.Failed failed -> JobStatus.FAILED;
      case Phase.Cancelled cancelled -> JobStatus.CANCELLED;
    };
  }

  @Override
  @JsonIgnore
  public boolean ended() {
    return phase instanceof Phase.Ended;
  }

  /// When it ended; empty while it has not.
  @JsonIgnore
  public Optional<Instant> endedAt() {
    return phase instanceof Phase.Ended over ? Optional.of(over.at()) : Optional.empty();
  }

  /// The attempt that has been handed out and is not over; empty if there is none.
  @JsonIgnore
  public Optional<Phase.Underway> underway() {
    return switch (phase) {
      case Phase.Claimed(var by, var at) -> Optional.of(new Phase.Underway(by, at, null));
      case Phase.Running(var by, var claimedAt, var startedAt) ->
          Optional.of(new Phase.Underway(by, claimedAt, startedAt));
      case Phase.Stopping stopping -> Optional.ofNullable(stopping.attempt());
      case Phase.Idle none -> Optional.empty();
      case Phase.Ended none -> Optional.empty();
    };
  }

  /// Whether it waits for a worker, and not for its time. What was to run at once does not wait for
  /// a clock that has been set back since.
  boolean isDue(Instant now) {
    return phase instanceof Phase.Pending(var due) && (!due.isAfter(now) || isSinceThen(due));
  }

  /// Whether it is pending since the time at which it is due.
  private boolean isSinceThen(Instant due) {
    var attempts = trail.attempts();
    var reopenings = trail.reopenings();
    return attempts.isEmpty() && due.equals(createdAt)
        || !attempts.isEmpty() && due.equals(attempts.getLast().endedAt())
        || !reopenings.isEmpty() && due.equals(reopenings.getLast().at());
  }

  /// Whether another start is left.
  boolean hasStartLeft() {
    return starts < spec.options().maxAttempts();
  }

  private JobState claimed(int number, Phase.Claimed claimed) {
    var fresh = trail.withoutProgress();
    return new JobState(id, spec, createdAt, version + 1, number, starts + 1, claimed, fresh);
  }

  private JobState started(Instant at) {
    return switch (phase) {
      case Phase.Claimed(var by, var claimedAt) -> to(new Phase.Running(by, claimedAt, at));
      case Phase.Stopping(
              var cause,
              var since,
              Phase.Underway(var by, var claimedAt, var none),
              var request) ->
          to(new Phase.Stopping(cause, since, new Phase.Underway(by, claimedAt, at), request));
      case Phase.Stopping over -> this;
      case Phase.Running already -> this;
      case Phase.Idle over -> this;
      case Phase.Ended over -> this;
    };
  }

  /// The attempt is over, and has cost no start.
  private JobState free(EndCause cause, Notes notes, Instant at, Instant due) {
    var after = record(cause, null, false, null, at).plusNotes(notes);
    var next = new Phase.Pending(due);
    return new JobState(id, spec, createdAt, version + 1, attempt, starts - 1, next, after);
  }

  private JobState won(JobFact.Succeeded won) {
    var after = record(null, null, false, null, won.at()).plusNotes(won.notes());
    return new JobState(
        id,
        spec,
        createdAt,
        version + 1,
        attempt,
        starts,
        new Phase.Succeeded(won.result(), won.at()),
        after);
  }

  private JobState ended(JobFact.AttemptEnd end, Phase next) {
    var late = end.discarded() ? AttemptRecord.DISCARDED : null;
    var after =
        record(end.cause(), end.error(), end.abandoned(), late, end.at()).plusNotes(end.notes());
    return new JobState(id, spec, createdAt, version + 1, attempt, starts, next, after);
  }

  private JobState cancelled(JobFact.Cancelled fact) {
    var late = fact.discarded() ? AttemptRecord.DISCARDED : null;
    var after =
        record(EndCause.CANCELLED, null, fact.abandoned(), late, fact.at()).plusNotes(fact.notes());
    var phase =
        new Phase.Cancelled(
            fact.request(), fact.abandoned(), fact.discarded(), fact.unanswered(), fact.at());
    return new JobState(id, spec, createdAt, version + 1, attempt, starts, phase, after);
  }

  private JobState reopened(String by, Instant at) {
    var after = trail.plus(new Reopening(by, at), !(phase instanceof Phase.Cancelled));
    return new JobState(id, spec, createdAt, version + 1, attempt, 0, new Phase.Pending(at), after);
  }

  private Trail record(
      @Nullable EndCause cause,
      @Nullable JobError error,
      boolean abandoned,
      @Nullable String late,
      Instant at) {
    return underway()
        .map(
            run ->
                trail.plus(
                    new AttemptRecord(
                        attempt,
                        run.by().toString(),
                        run.claimedAt(),
                        run.startedAt(),
                        at,
                        cause,
                        error,
                        abandoned,
                        late)))
        .orElse(trail);
  }

  private Phase stopping(Phase.CancelRequest request) {
    return phase instanceof Phase.Stopping(var cause, var since, var run, var none)
        ? new Phase.Stopping(cause, since, run, request)
        : new Phase.Stopping(
            Phase.StopCause.CANCEL, request.at(), underway().orElse(null), request);
  }

  private Phase withoutAttempt() {
    return phase instanceof Phase.Stopping(var cause, var since, var run, var request)
        ? new Phase.Stopping(cause, since, null, request)
        : phase;
  }

  private JobState to(Phase next) {
    return new JobState(id, spec, createdAt, version + 1, attempt, starts, next, trail);
  }

  private JobState with(Trail next) {
    return new JobState(id, spec, createdAt, version + 1, attempt, starts, phase, next);
  }

  private static Instant due(JobSpec spec, Instant now) {
    return spec.runAt() == null || spec.runAt().isBefore(now) ? now : spec.runAt();
  }
}
