package dev.handoff.internal.dispatch.worker;

import dev.handoff.JobId;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.ask.FullHeapSteps;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.WatchReply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;

/// Wait for a child's end. Requests time out after a minute and are repeated until the child
/// answers. An ended engine refuses each request at once.
final class ChildWatch {

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final ExecutionContext STEPS =
      ExecutionContext.fromExecutor(CallbackThreads.answers());

  private final JobId child;
  private final CompletableFuture<JobState> ended;
  private final Function<JobId, CompletionStage<WatchReply>> question;
  private final ActorSystem<?> system;
  private final Consumer<@Nullable WatchReply> hearing = this::onReply;
  private final Consumer<ChildWatch> asking = ChildWatch::ask;
  private final Runnable again = this::askAgain;

  /// @param ended completed with the child's final state; requests stop when it completes
  /// @param question sends one request for the child's end
  ChildWatch(
      JobId child,
      CompletableFuture<JobState> ended,
      Function<JobId, CompletionStage<WatchReply>> question,
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
      question.apply(child).whenComplete((reply, failure) -> FullHeapSteps.outlast(hearing, reply));
    }
  }

  private void onReply(@Nullable WatchReply reply) {
    switch (reply) {
      case null -> askAfter(PAUSE);
      case WatchReply.Ended(var state) -> ended.complete(state);
      case WatchReply.Unavailable(var job, var reason, var retryAfter) -> askAfter(retryAfter);
      case WatchReply.NotFound none ->
          ended.completeExceptionally(
              new IllegalStateException("job " + child + " does not exist"));
    }
  }

  private void askAfter(Duration pause) {
    system.scheduler().scheduleOnce(pause, again, STEPS);
  }

  private void askAgain() {
    FullHeapSteps.outlast(asking, this);
  }
}
