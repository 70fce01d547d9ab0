package dev.handoff.internal.facade;

import dev.handoff.JobId;
import dev.handoff.JobNotFoundException;
import dev.handoff.JobNotKeptException;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.JobWatchers;
import dev.handoff.internal.job.WatchReply;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/// Waits for the end of a job, however long that takes. The stage belongs to a user: once the user
/// completes or cancels it, the watch stops.
final class JobWatch<T> {

  private final JobId job;
  private final RunningEngine engine;
  private final Function<JobState, T> told;
  private final AnswerStage<T> ended = new AnswerStage<>();

  /// @param told converts the final state of the job
  JobWatch(JobId job, RunningEngine engine, Function<JobState, T> told) {
    this.job = job;
    this.engine = engine;
    this.told = told;
  }

  /// Starts the watch. The stage fails only with a [JobNotFoundException], a [JobNotKeptException],
  /// or when the engine ends.
  AnswerStage<T> start() {
    new EndWatch<>(engine, ended, this::ask, this::onReply).start();
    return ended;
  }

  private CompletionStage<WatchReply> ask() {
    return engine
        .calls()
        .<Gateway.Command, WatchReply>ask(
            engine.doors().gateway(),
            replyTo -> new Gateway.Route(new JobEnvelope(job, new Job.Watch(replyTo))),
            JobWatchers.PATIENCE);
  }

  private boolean onReply(WatchReply reply) {
    return switch (reply) {
      case WatchReply.Ended(var state) -> ended.complete(told.apply(state));
      case WatchReply.NotFound none ->
          ended.completeExceptionally(MissingJobs.absent(job, engine.store().info()));
      case WatchReply.Unavailable notNow -> false;
    };
  }
}
