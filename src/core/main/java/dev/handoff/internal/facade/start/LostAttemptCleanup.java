package dev.handoff.internal.facade.start;

import dev.handoff.JobError;
import dev.handoff.JobHandler;
import dev.handoff.JobId;
import dev.handoff.internal.dispatch.worker.ThreadsAndClock;
import dev.handoff.internal.facade.BoundedWait;
import dev.handoff.internal.facade.HandlerRegistration;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Clean-up at the start after a killed process: handlers remove leftovers of their interrupted
/// attempts.
record LostAttemptCleanup(Map<String, HandlerRegistration<?>> handlers, JsonFormat json) {

  private static final Logger log = LoggerFactory.getLogger(LostAttemptCleanup.class);

  /// Time limit: a program that ignores a polite stop takes some seconds to kill.
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /// Cleans up, and returns at the end or at the time limit; unfinished clean-ups then continue
  /// beside the engine.
  ///
  /// @param interrupted jobs in their state at the kill of the process
  void after(List<JobState> interrupted) {
    var over = interrupted.stream().map(this::start).toArray(CompletableFuture<?>[]::new);
    BoundedWait.forEnd(CompletableFuture.allOf(over), LONGEST);
    long left = Stream.of(over).filter(one -> !one.isDone()).count();
    if (left > 0) {
      log.warn(
          "clearing up after [{}] interrupted attempts takes longer than {}: it goes on, and the"
              + " engine does not wait for it",
          left,
          Durations.exact(LONGEST));
    }
  }

  private CompletableFuture<Void> start(JobState job) {
    var over = new CompletableFuture<Void>();
    var registration = handlers.get(job.spec().type());
    if (registration == null) {
      over.complete(null);
      return over;
    }
    var handler = registration.handler();
    Runnable call =
        () -> {
          clearUp(handler, job);
          over.complete(null);
        };
    try {
      ThreadsAndClock.REAL.start(handler.isBlocking(), "handoff-clear-up-" + job.id(), call);
    } catch (OutOfMemoryError noThread) {
      failed(job, noThread);
      over.complete(null);
    }
    return over;
  }

  private void clearUp(JobHandler<?> handler, JobState job) {
    try {
      handler.clearUp(new Lost(job, json));
    } catch (Throwable failure) {
      failed(job, failure);
    }
  }

  /// Logs a failure of host code. `JobError` converts the exception safely, even one that throws
  /// when it is logged.
  private static void failed(JobState job, Throwable failure) {
    log.warn(
        "job [{}]: clearing up after attempt [{}] failed: {}",
        job.id(),
        job.attempt(),
        JobError.of(failure).stack());
  }

  private record Lost(JobState state, JsonFormat json) implements JobHandler.LostAttempt {
    @Override
    public JobId job() {
      return state.id();
    }

    @Override
    public int attempt() {
      return state.attempt();
    }

    @Override
    public <T> Optional<T> checkpoint(Class<T> type) {
      return Optional.ofNullable(state.trail().checkpoint())
          .map(kept -> json.checkpoint(kept, type));
    }
  }
}
