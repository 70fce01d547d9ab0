package dev.handoff;

import dev.handoff.ask.AnswerStage;
import dev.handoff.ask.CallbackThreads;
import dev.handoff.ask.FullHeap;
import dev.handoff.engine.Gateway;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobState;
import dev.handoff.job.Watchers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Waits for the end of a job, however long that takes: asks again and again, since a question
/// costs little and its answer may get lost. The stage is a user's; one that is completed or
/// cancelled by its user is asked for no more.
final class Watch<T> {

  private final JobId job;
  private final Handoff.Inside inside;
  private final Function<JobState, T> told;
  private final AnswerStage<T> ended = new AnswerStage<>();
  private final Consumer<@Nullable JobReply> hearing = this::onReply;
  private final Consumer<Watch<T>> asking = Watch::ask;
  private final Runnable again = this::askAgain;

  /// @param told makes the answer of the job as it has ended
  Watch(JobId job, Handoff.Inside inside, Function<JobState, T> told) {
    this.job = job;
    this.inside = inside;
    this.told = told;
  }

  /// Fails with a [JobNotFoundException] or a [JobNotKeptException], or when the engine ends, and
  /// with nothing else.
  AnswerStage<T> start() {
    ask();
    return ended;
  }

  private void ask() {
    if (!ended.isDone()) {
      inside
          .calls()
          .<Gateway.Command, JobReply>ask(
              inside.doors().gateway(),
              replyTo -> new Gateway.Route(new ForJob(job, new Job.Watch(replyTo))),
              Watchers.PATIENCE)
          .whenComplete((reply, failure) -> FullHeap.outlast(hearing, reply));
    }
  }

  private void onReply(@Nullable JobReply reply) {
    switch (reply) {
      case JobReply.Done(var state) -> ended.complete(told.apply(state));
      case JobReply.NotFound none ->
          ended.completeExceptionally(JobNotKeptException.absent(job, inside.store().info()));
      case null -> askUnlessOver();
      case JobReply notNow -> askLater();
    }
  }

  private void askUnlessOver() {
    var over = inside.calls().over();
    if (over == null) {
      askLater();
    } else {
      ended.completeExceptionally(new UnavailableException(over));
    }
  }

  private void askAgain() {
    FullHeap.outlast(asking, this);
  }

  /// The job is crowded, or its store is away. Not all of those who wait come back at once.
  private void askLater() {
    long millis = inside.settings().ledger().retryAfter().toMillis();
    long varied = millis + ThreadLocalRandom.current().nextLong(millis + 1);
    CompletableFuture.delayedExecutor(varied, TimeUnit.MILLISECONDS, CallbackThreads.answers())
        .execute(again);
  }
}
