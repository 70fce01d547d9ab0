package dev.handoff.internal.facade;

import dev.handoff.JobError;
import dev.handoff.JobInfo;
import dev.handoff.Json;
import dev.handoff.internal.job.AttemptRecord;
import dev.handoff.internal.job.ChildJob;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobOrigin;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.OperatorRetry;
import dev.handoff.plan.PlanId;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Converts a job's state into the plain values of [JobInfo].
public record JobView(JobState state, Instant seen) {

  /// Snapshot of a job at the given moment.
  public static JobInfo of(JobState state, Instant seen) {
    return new JobView(state, seen).info();
  }

  private JobInfo info() {
    var spec = state.spec();
    var options = spec.options();
    var trail = state.trail();
    var origin = Optional.ofNullable(spec.origin());
    var underway = state.underway();
    return new JobInfo(
        state.id(),
        spec.type(),
        spec.queue(),
        spec.priority(),
        Optional.ofNullable(spec.key()),
        state.status(seen),
        state.attempt(),
        state.starts(),
        options.maxAttempts(),
        spec.payload(),
        result(),
        error(),
        state.phase() instanceof JobPhase.Failed failed
            ? Optional.of(outcome(failed.cause()))
            : Optional.empty(),
        Optional.ofNullable(trail.progress())
            .map(said -> new JobInfo.Progress(said.fraction(), said.message())),
        underway.map(run -> run.by().worker()),
        underway.map(run -> run.by().pool().value()),
        origin.map(JobOrigin::plan).map(PlanId::new),
        origin.map(JobOrigin::step),
        origin.map(JobOrigin::parent),
        options.labels(),
        Optional.ofNullable(options.timeout()),
        Optional.ofNullable(options.heartbeatTimeout()),
        state.createdAt(),
        Optional.ofNullable(spec.runAt()),
        state.phase() instanceof JobPhase.Pending(var due) ? Optional.of(due) : Optional.empty(),
        startedAt(),
        state.endedAt(),
        cancel(),
        trail.attempts().stream().map(JobView::attempt).toList(),
        new History(new ArrayList<>(), new ArrayDeque<>(trail.reopenings())).of(state),
        trail.log(),
        trail.children().stream().map(ChildJob::id).toList(),
        seen);
  }

  private Optional<Json> result() {
    return state.phase() instanceof JobPhase.Succeeded(var result, var at)
        ? Optional.of(result)
        : Optional.empty();
  }

  private Optional<JobError> error() {
    return switch (state.phase()) {
      case JobPhase.Failed(var cause, var error, var at) -> Optional.of(error);
      case JobPhase.Succeeded none -> Optional.empty();
      case JobPhase.Cancelled none -> Optional.empty();
      case JobPhase.Live again -> lastAttempt().map(AttemptRecord::error);
    };
  }

  /// Start of the current attempt, or else of the last one.
  private Optional<Instant> startedAt() {
    return state.underway().isPresent()
        ? state.underway().map(JobPhase.Underway::startedAt)
        : lastAttempt().map(AttemptRecord::startedAt);
  }

  private Optional<AttemptRecord> lastAttempt() {
    var attempts = state.trail().attempts();
    return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.getLast());
  }

  private Optional<JobInfo.Cancel> cancel() {
    return switch (state.phase()) {
      case JobPhase.Stopping stopping ->
          Optional.ofNullable(stopping.request()).map(wish -> cancel(wish, false, false));
      case JobPhase.Cancelled over ->
          Optional.of(cancel(over.request(), over.abandoned(), over.discarded()));
      case JobPhase.Idle none -> Optional.empty();
      case JobPhase.Assigned none -> Optional.empty();
      case JobPhase.Succeeded none -> Optional.empty();
      case JobPhase.Failed none -> Optional.empty();
    };
  }

  private static JobInfo.Cancel cancel(
      JobPhase.CancelRequest wish, boolean abandoned, boolean discarded) {
    return new JobInfo.Cancel(wish.reason(), wish.by(), wish.at(), abandoned, discarded);
  }

  private static JobInfo.Attempt attempt(AttemptRecord attempt) {
    return new JobInfo.Attempt(
        attempt.number(),
        attempt.worker(),
        attempt.claimedAt(),
        Optional.ofNullable(attempt.startedAt()),
        attempt.endedAt(),
        outcome(attempt.cause()),
        Optional.ofNullable(attempt.error()),
        attempt.abandoned(),
        Optional.ofNullable(attempt.late()));
  }

  /// Rebuilds a job's history, in order, from its state.
  ///
  /// @param reopenings retries by operators that are not among the entries yet
  private record History(List<JobInfo.HistoryEntry> entries, Deque<OperatorRetry> reopenings) {

    public List<JobInfo.HistoryEntry> of(JobState state) {
      add(state.createdAt(), "submitted");
      for (var attempt : state.trail().attempts()) {
        int number = attempt.number();
        begun(number, attempt.claimedAt(), attempt.startedAt());
        if (isEndedByCancel(attempt, state)) {
          addRequested(state);
        }
        add(attempt.endedAt(), outcome(attempt.cause()).label(), number);
      }
      state.underway().ifPresent(run -> begun(state.attempt(), run.claimedAt(), run.startedAt()));
      addReopened(Instant.MAX);
      switch (state.phase()) {
        case JobPhase.Stopping stopping -> add(stopping.since(), "stop-requested", state.attempt());
        case JobPhase.Failed(var cause, var error, var at) -> add(at, "failed");
        case JobPhase.Cancelled over -> {
          if (state.trail().attempts().stream().noneMatch(end -> isEndedByCancel(end, state))) {
            addRequested(state);
          }
          add(over.at(), "cancelled");
        }
        case JobPhase.Succeeded told -> {}
        case JobPhase.Idle none -> {}
        case JobPhase.Assigned told -> {}
      }
      // Stable sort: entries with equal times keep their insertion order, which is their causal
      // order.
      entries.sort(Comparator.comparing(JobInfo.HistoryEntry::at));
      return entries;
    }

    /// Whether the cancel of the job ended this attempt.
    private static boolean isEndedByCancel(AttemptRecord attempt, JobState state) {
      return attempt.cause() == EndCause.CANCELLED
          && attempt.number() == state.attempt()
          && state.phase() instanceof JobPhase.Cancelled;
    }

    private void addRequested(JobState state) {
      if (state.phase() instanceof JobPhase.Cancelled over) {
        add(over.request().at(), "cancel-requested");
      }
    }

    private void begun(int attempt, Instant claimedAt, @Nullable Instant startedAt) {
      addReopened(claimedAt);
      add(claimedAt, "claimed", attempt);
      if (startedAt != null) {
        add(startedAt, "started", attempt);
      }
    }

    private void addReopened(Instant until) {
      while (!reopenings.isEmpty() && !reopenings.getFirst().at().isAfter(until)) {
        var next = reopenings.removeFirst();
        entries.add(
            new JobInfo.HistoryEntry(
                next.at(), "reopened", OptionalInt.empty(), Optional.of(next.by())));
      }
    }

    private void add(Instant at, String what) {
      entries.add(new JobInfo.HistoryEntry(at, what, OptionalInt.empty(), Optional.empty()));
    }

    private void add(Instant at, String what, int attempt) {
      entries.add(new JobInfo.HistoryEntry(at, what, OptionalInt.of(attempt), Optional.empty()));
    }
  }

  /// Outcome of an attempt.
  ///
  /// @param cause cause of its failure; null if it succeeded
  public static JobInfo.AttemptOutcome outcome(@Nullable EndCause cause) {
    return cause == null
        ? JobInfo.AttemptOutcome.SUCCEEDED
        : JobInfo.AttemptOutcome.valueOf(cause.name());
  }
}
