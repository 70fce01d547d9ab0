package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.JobStatus;
import dev.handoff.internal.ledger.EntityState;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// State of a job: an immutable value, folded from its facts.
///
/// [#decide] maps a command to facts, [#apply] maps a fact to the next state. Time and randomness
/// are arguments and no actor is known, so tests can call every transition directly.
///
/// @param version number of facts folded into the state
/// @param attempt number of the last attempt: the fence. Rises with every claim
/// @param starts starts used since the submission or the last retry by an operator
@JsonTypeName("job")
public record JobState(
    JobId id,
    JobSpec spec,
    Instant createdAt,
    long version,
    int attempt,
    int starts,
    JobPhase phase,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = JobTrail.Nothing.class)
        JobTrail trail)
    implements EntityState {

  public JobState {
    trail = trail == null ? JobTrail.NONE : trail;
  }

  /// State after the first fact.
  public static JobState create(JobId id, JobFact.Submitted submitted) {
    var spec = submitted.spec();
    var at = submitted.at();
    JobPhase phase =
        submitted.held() ? new JobPhase.Waiting() : new JobPhase.Pending(due(spec, at));
    return new JobState(id, spec, at, 1, 0, 0, phase, JobTrail.NONE);
  }

  /// Decides a command in this state. Total: every command has an answer in every state.
  public JobDecision decide(JobCommand command, Instant now, RandomGenerator random) {
    return new JobTransitions(this, now, random).decide(command);
  }

  /// Applies a fact. Accepts every fact of the ledger: [#decide] checked it before the write.
  public JobState apply(JobFact fact) {
    return switch (fact) {
      case JobFact.Submitted again -> this;
      case JobFact.Released(var at) -> to(new JobPhase.Pending(due(spec, at)));
      case JobFact.Claimed(int number, var by, var at) ->
          claimed(number, new JobPhase.Claimed(by, at));
      case JobFact.Started(int number, var at) -> started(at);
      case JobFact.Returned(int number, var cause, var notes, var at) -> free(cause, notes, at, at);
      case JobFact.Postponed(int number, var due, var notes, var at) ->
          free(EndCause.LATER, notes, at, due);
      case JobFact.Succeeded won -> won(won);
      case JobFact.RetryScheduled(var end, var due) -> ended(end, new JobPhase.Pending(due));
      case JobFact.Failed(var end) ->
          ended(end, new JobPhase.Failed(end.cause(), end.error(), end.at()));
      case JobFact.StopRequested(int number, var cause, var at) ->
          to(new JobPhase.Stopping(cause, at, underway().orElse(null), null));
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

  /// Status shown to users at a given time.
  public JobStatus status(Instant now) {
    return switch (phase) {
      case JobPhase.Waiting waiting -> JobStatus.WAITING;
      case JobPhase.Pending pending -> isDue(now) ? JobStatus.QUEUED : JobStatus.SCHEDULED;
      case JobPhase.Claimed claimed -> JobStatus.CLAIMED;
      case JobPhase.Running running -> JobStatus.RUNNING;
      case JobPhase.Stopping stopping -> JobStatus.CANCELLING;
      case JobPhase.Succeeded succeeded -> JobStatus.SUCCEEDED;
      case JobPhase.Failed failed -> JobStatus.FAILED;
      case JobPhase.Cancelled cancelled -> JobStatus.CANCELLED;
    };
  }

  @Override
  @JsonIgnore
  public boolean ended() {
    return phase instanceof JobPhase.Ended;
  }

  /// End time; empty for a live job.
  @JsonIgnore
  public Optional<Instant> endedAt() {
    return phase instanceof JobPhase.Ended over ? Optional.of(over.at()) : Optional.empty();
  }

  /// Current attempt, from claim to end; empty if none.
  @JsonIgnore
  public Optional<JobPhase.Underway> underway() {
    return switch (phase) {
      case JobPhase.Claimed(var by, var at) -> Optional.of(new JobPhase.Underway(by, at, null));
      case JobPhase.Running(var by, var claimedAt, var startedAt) ->
          Optional.of(new JobPhase.Underway(by, claimedAt, startedAt));
      case JobPhase.Stopping stopping -> Optional.ofNullable(stopping.attempt());
      case JobPhase.Idle none -> Optional.empty();
      case JobPhase.Ended none -> Optional.empty();
    };
  }

  /// Whether the job is due and lacks only a worker. A job due immediately stays due if the clock
  /// is set back.
  boolean isDue(Instant now) {
    return phase instanceof JobPhase.Pending(var due) && (!due.isAfter(now) || isSinceThen(due));
  }

  /// Whether the job became pending exactly at its due time.
  private boolean isSinceThen(Instant due) {
    var attempts = trail.attempts();
    var reopenings = trail.reopenings();
    return attempts.isEmpty() && due.equals(createdAt)
        || !attempts.isEmpty() && due.equals(attempts.getLast().endedAt())
        || !reopenings.isEmpty() && due.equals(reopenings.getLast().at());
  }

  /// Whether a start is left.
  boolean hasStartLeft() {
    return starts < spec.options().maxAttempts();
  }

  private JobState claimed(int number, JobPhase.Claimed claimed) {
    var fresh = trail.withoutProgress();
    return new JobState(id, spec, createdAt, version + 1, number, starts + 1, claimed, fresh);
  }

  private JobState started(Instant at) {
    return switch (phase) {
      case JobPhase.Claimed(var by, var claimedAt) -> to(new JobPhase.Running(by, claimedAt, at));
      case JobPhase.Stopping(
              var cause,
              var since,
              JobPhase.Underway(var by, var claimedAt, var none),
              var request) ->
          to(
              new JobPhase.Stopping(
                  cause, since, new JobPhase.Underway(by, claimedAt, at), request));
      case JobPhase.Stopping over -> this;
      case JobPhase.Running already -> this;
      case JobPhase.Idle over -> this;
      case JobPhase.Ended over -> this;
    };
  }

  /// Ends the attempt and refunds its start.
  private JobState free(EndCause cause, AttemptNotes notes, Instant at, Instant due) {
    var after = record(cause, null, false, null, at).plusNotes(notes);
    var next = new JobPhase.Pending(due);
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
        new JobPhase.Succeeded(won.result(), won.at()),
        after);
  }

  private JobState ended(JobFact.AttemptEnd end, JobPhase next) {
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
        new JobPhase.Cancelled(
            fact.request(), fact.abandoned(), fact.discarded(), fact.unanswered(), fact.at());
    return new JobState(id, spec, createdAt, version + 1, attempt, starts, phase, after);
  }

  private JobState reopened(String by, Instant at) {
    var after = trail.plus(new OperatorRetry(by, at), !(phase instanceof JobPhase.Cancelled));
    return new JobState(
        id, spec, createdAt, version + 1, attempt, 0, new JobPhase.Pending(at), after);
  }

  private JobTrail record(
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

  private JobPhase stopping(JobPhase.CancelRequest request) {
    return phase instanceof JobPhase.Stopping(var cause, var since, var run, var none)
        ? new JobPhase.Stopping(cause, since, run, request)
        : new JobPhase.Stopping(
            JobPhase.StopCause.CANCEL, request.at(), underway().orElse(null), request);
  }

  private JobPhase withoutAttempt() {
    return phase instanceof JobPhase.Stopping(var cause, var since, var run, var request)
        ? new JobPhase.Stopping(cause, since, null, request)
        : phase;
  }

  private JobState to(JobPhase next) {
    return new JobState(id, spec, createdAt, version + 1, attempt, starts, next, trail);
  }

  private JobState with(JobTrail next) {
    return new JobState(id, spec, createdAt, version + 1, attempt, starts, phase, next);
  }

  private static Instant due(JobSpec spec, Instant now) {
    return spec.runAt() == null || spec.runAt().isBefore(now) ? now : spec.runAt();
  }
}
