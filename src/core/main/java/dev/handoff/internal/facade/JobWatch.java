package dev.handoff.internal.facade;

import dev.handoff.JobId;
import dev.handoff.JobNotFoundException;
import dev.handoff.JobNotKeptException;
import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.ask.FullHeapSteps;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.JobWatchers;
import dev.handoff.internal.job.WatchReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Waits for the end of a job, however long that takes. The watch repeats its question, because a
/// question is cheap and an answer may get lost. The stage belongs to a user: once the user
/// completes or cancels it, the watch stops.
final class JobWatch<T> {

  private final JobId job;
  private final RunningEngine engine;
  private final Function<JobState, T> told;
  private final AnswerStage<T> ended = new AnswerStage<>();
  private final Consumer<@Nullable WatchReply> hearing = this::onReply;
  private final Consumer<JobWatch<T>> asking = JobWatch::ask;
  private final Runnable again = this::askAgain;

  /// @param told converts the final state of the job
  JobWatch(JobId job, RunningEngine engine, Function<JobState, T> told) {
    this.job = job;
    this.engine = engine;
    this.told = told;
  }

  /// Starts the watch. The stage fails only with a [JobNotFoundException], a [JobNotKeptException],
  /// or when the engine ends.
  AnswerStage<T> start() {
    ask();
    return ended;
  }

  private void ask() {
    if (!ended.isDone()) {
      engine
          .calls()
          .<Gateway.Command, WatchReply>ask(
              engine.doors().gateway(),
              replyTo -> new Gateway.Route(new JobEnvelope(job, new Job.Watch(replyTo))),
              JobWatchers.PATIENCE)
          .whenComplete((reply, failure) -> FullHeapSteps.outlast(hearing, reply));
    }
  }

  private void onReply(@Nullable WatchReply reply) {
    switch (reply) {
      case WatchReply.Ended(var state) -> ended.complete(told.apply(state));
      case WatchReply.NotFound none ->
          ended.completeExceptionally(MissingJobs.absent(job, engine.store().info()));
      case null -> askUnlessOver();
      case WatchReply.Unavailable notNow -> askLater();
    }
  }

  private void askUnlessOver() {
    var over = engine.calls().over();
    if (over == null) {
      askLater();
    } else {
      ended.completeExceptionally(new UnavailableException(over));
    }
  }

  private void askAgain() {
    FullHeapSteps.outlast(asking, this);
  }

  /// Repeats the question after a delay: the job is overloaded, or its store is away. Random jitter
  /// spreads the callers' retries.
  private void askLater() {
    long millis = engine.settings().ledger().retryAfter().toMillis();
    long varied = millis + ThreadLocalRandom.current().nextLong(millis + 1);
    CompletableFuture.delayedExecutor(varied, TimeUnit.MILLISECONDS, CallbackThreads.answers())
        .execute(again);
  }
}
