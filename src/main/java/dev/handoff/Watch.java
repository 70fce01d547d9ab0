package dev.handoff;

import dev.handoff.engine.Gateway;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Waits for the end of a job, however long that takes: asks again and again, since a question
/// costs little and its answer may get lost.
final class Watch {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final JobId job;
  private final Handoff.Inside inside;
  private final CompletableFuture<JobState> ended = new CompletableFuture<>();

  Watch(JobId job, Handoff.Inside inside) {
    this.job = job;
    this.inside = inside;
  }

  /// Fails with a [JobNotFoundException], or when the engine ends, and with nothing else.
  CompletionStage<JobState> start() {
    ask();
    return ended;
  }

  private void ask() {
    inside
        .calls()
        .<Gateway.Command, JobReply>ask(
            inside.doors().gateway(),
            replyTo -> new Gateway.Route(new ForJob(job, new Job.Watch(replyTo))),
            PATIENCE)
        .whenComplete(this::onReply);
  }

  private void onReply(@Nullable JobReply reply, @Nullable Throwable failure) {
    switch (reply) {
      case JobReply.Done(var state) -> ended.complete(state);
      case JobReply.NotFound none -> ended.completeExceptionally(new JobNotFoundException(job));
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

  /// The job is crowded, or its store is away. Not all of those who wait come back at once.
  private void askLater() {
    long millis = inside.settings().ledger().retryAfter().toMillis();
    long varied = millis + ThreadLocalRandom.current().nextLong(millis + 1);
    CompletableFuture.delayedExecutor(varied, TimeUnit.MILLISECONDS, Thread::startVirtualThread)
        .execute(this::ask);
  }
}
