package dev.handoff;

import dev.handoff.job.AttemptRecord;
import dev.handoff.job.Child;
import dev.handoff.job.EndCause;
import dev.handoff.job.JobError;
import dev.handoff.job.JobState;
import dev.handoff.job.Json;
import dev.handoff.job.Origin;
import dev.handoff.job.Phase;
import dev.handoff.job.Reopening;
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

/// The plain values of a job's state.
record JobView(JobState state, Instant seen) {

  /// A job as it was when it was looked at.
  static JobInfo of(JobState state, Instant seen) {
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
        state.phase() instanceof Phase.Failed failed
            ? Optional.of(AttemptOutcome.of(failed.cause()))
            : Optional.empty(),
        Optional.ofNullable(trail.progress())
            .map(said -> new JobProgress(said.fraction(), said.message())),
        underway.map(run -> run.by().worker()),
        underway.map(run -> run.by().pool().value()),
        origin.map(Origin::plan).map(PlanId::new),
        origin.map(Origin::step),
        origin.map(Origin::parent),
        options.labels(),
        Optional.ofNullable(options.timeout()),
        Optional.ofNullable(options.heartbeatTimeout()),
        state.createdAt(),
        Optional.ofNullable(spec.runAt()),
        state.phase() instanceof Phase.Pending(var due) ? Optional.of(due) : Optional.empty(),
        startedAt(),
        state.endedAt(),
        cancel(),
        trail.attempts().stream().map(JobView::attempt).toList(),
        new History(new ArrayList<>(), new ArrayDeque<>(trail.reopenings())).of(state),
        trail.log(),
        trail.children().stream().map(Child::id).toList(),
        seen);
  }

  private Optional<Json> result() {
    return state.phase() instanceof Phase.Succeeded(var result, var at)
        ? Optional.of(result)
        : Optional.empty();
  }

  private Optional<JobError> error() {
    return switch (state.phase()) {
      case Phase.Failed(var cause, var error, var at) -> Optional.of(error);
      case Phase.Succeeded none -> Optional.empty();
      case Phase.Cancelled none -> Optional.empty();
      case Phase.Idle waits -> lastAttempt().map(AttemptRecord::error);
      case Phase.Claimed again -> lastAttempt().map(AttemptRecord::error);
      case Phase.Running again -> lastAttempt().map(AttemptRecord::error);
      case Phase.Stopping again -> lastAttempt().map(AttemptRecord::error);
    };
  }

  /// Of the attempt under way; of the last one, if there is none.
  private Optional<Instant> startedAt() {
    return state.underway().isPresent()
        ? state.underway().map(Phase.Underway::startedAt)
        : lastAttempt().map(AttemptRecord::startedAt);
  }

  private Optional<AttemptRecord> lastAttempt() {
    var attempts = state.trail().attempts();
    return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.getLast());
  }

  private Optional<CancelInfo> cancel() {
    return switch (state.phase()) {
      case Phase.Stopping stopping ->
          Optional.ofNullable(stopping.request()).map(wish -> cancel(wish, false, false));
      case Phase.Cancelled over ->
          Optional.of(cancel(over.request(), over.abandoned(), over.discarded()));
      case Phase.Idle none -> Optional.empty();
      case Phase.Claimed none -> Optional.empty();
      case Phase.Running none -> Optional.empty();
      case Phase.Succeeded none -> Optional.empty();
      case Phase.Failed none -> Optional.empty();
    };
  }

  private static CancelInfo cancel(Phase.CancelRequest wish, boolean abandoned, boolean discarded) {
    return new CancelInfo(wish.reason(), wish.by(), wish.at(), abandoned, discarded);
  }

  private static AttemptInfo attempt(AttemptRecord attempt) {
    return new AttemptInfo(
        attempt.number(),
        attempt.worker(),
        attempt.claimedAt(),
        Optional.ofNullable(attempt.startedAt()),
        attempt.endedAt(),
        AttemptOutcome.of(attempt.cause()),
        Optional.ofNullable(attempt.error()),
        attempt.abandoned(),
        Optional.ofNullable(attempt.late()));
  }

  /// What happened to a job, in order, as far as its state tells.
  ///
  /// @param reopenings those that are not among the entries yet
  private record History(List<HistoryEntry> entries, Deque<Reopening> reopenings) {

    List<HistoryEntry> of(JobState state) {
      add(state.createdAt(), "submitted");
      for (var attempt : state.trail().attempts()) {
        int number = attempt.number();
        begun(number, attempt.claimedAt(), attempt.startedAt());
        if (isEndedByCancel(attempt, state)) {
          addRequested(state);
        }
        add(attempt.endedAt(), AttemptOutcome.of(attempt.cause()).label(), number);
      }
      state.underway().ifPresent(run -> begun(state.attempt(), run.claimedAt(), run.startedAt()));
      addReopened(Instant.MAX);
      switch (state.phase()) {
        case Phase.Stopping stopping -> add(stopping.since(), "stop-requested", state.attempt());
        case Phase.Failed(var cause, var error, var at) -> add(at, "failed");
        case Phase.Cancelled over -> {
          if (state.trail().attempts().stream().noneMatch(end -> isEndedByCancel(end, state))) {
            addRequested(state);
          }
          add(over.at(), "cancelled");
        }
        case Phase.Succeeded told -> {}
        case Phase.Idle none -> {}
        case Phase.Claimed told -> {}
        case Phase.Running told -> {}
      }
      // Stable: what has the same time stays in the order in which it can only have happened.
      entries.sort(Comparator.comparing(HistoryEntry::at));
      return entries;
    }

    /// Whether the attempt is the one that the cancel of the job has met.
    private static boolean isEndedByCancel(AttemptRecord attempt, JobState state) {
      return attempt.cause() == EndCause.CANCELLED
          && attempt.number() == state.attempt()
          && state.phase() instanceof Phase.Cancelled;
    }

    private void addRequested(JobState state) {
      if (state.phase() instanceof Phase.Cancelled over) {
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
            new HistoryEntry(next.at(), "reopened", OptionalInt.empty(), Optional.of(next.by())));
      }
    }

    private void add(Instant at, String what) {
      entries.add(new HistoryEntry(at, what, OptionalInt.empty(), Optional.empty()));
    }

    private void add(Instant at, String what, int attempt) {
      entries.add(new HistoryEntry(at, what, OptionalInt.of(attempt), Optional.empty()));
    }
  }
}
