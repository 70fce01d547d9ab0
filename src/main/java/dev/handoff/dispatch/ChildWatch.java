package dev.handoff.dispatch;

import dev.handoff.ask.CallbackThreads;
import dev.handoff.ask.FullHeap;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;

/// Waits for the end of a child: asks until it is answered, since one question waits for a minute
/// at most. An engine that is gone refuses at once, each time.
final class ChildWatch {

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final ExecutionContext STEPS =
      ExecutionContext.fromExecutor(CallbackThreads.answers());

  private final JobId child;
  private final CompletableFuture<JobState> ended;
  private final Function<JobId, CompletionStage<JobReply>> question;
  private final ActorSystem<?> system;
  private final Consumer<@Nullable JobReply> hearing = this::onReply;
  private final Consumer<ChildWatch> asking = ChildWatch::ask;
  private final Runnable again = this::askAgain;

  /// @param ended completed with the child as it has ended; nothing is asked once it is
  /// @param question asks the child for its end, once
  ChildWatch(
      JobId child,
      CompletableFuture<JobState> ended,
      Function<JobId, CompletionStage<JobReply>> question,
      ActorSystem<?> system) {
    this.child = child;
    this.ended = ended;
    this.question = question;
    this.system = system;
  }

  void start() {
    ask();
  }

  private void ask() {
    if (!ended.isDone()) {
      question.apply(child).whenComplete((reply, failure) -> FullHeap.outlast(hearing, reply));
    }
  }

  private void onReply(@Nullable JobReply reply) {
    switch (reply) {
      case null -> askAfter(PAUSE);
      case JobReply.Done(var state) -> ended.complete(state);
      case JobReply.AlreadyFinished(var state) -> ended.complete(state);
      case JobReply.Unavailable(var job, var reason, var retryAfter) -> askAfter(retryAfter);
      case JobReply other ->
          ended.completeExceptionally(
              new IllegalStateException("job " + child + " does not exist"));
    }
  }

  private void askAfter(Duration pause) {
    system.scheduler().scheduleOnce(pause, again, STEPS);
  }

  private void askAgain() {
    FullHeap.outlast(asking, this);
  }
}
