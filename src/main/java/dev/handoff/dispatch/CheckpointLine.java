package dev.handoff.dispatch;

import dev.handoff.ask.CallbackThreads;
import dev.handoff.ask.EngineStage;
import dev.handoff.ask.Questions;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import dev.handoff.job.JobReply;
import dev.handoff.job.Json;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;

/// The checkpoints of one attempt. Each is asked for until it is durable, however long the store is
/// away. Only the newest is asked for again; an older one shares its answer, for a repetition of it
/// could overwrite the newer one.
///
/// The look at the newest and the question for it are one step. Steps run one after the other, each
/// on the thread that comes first, and none of them waits.
final class CheckpointLine {

  private static final Executor THREADS = CallbackThreads.answers();
  private static final ExecutionContext STEPS = ExecutionContext.fromExecutor(THREADS);

  private record Checkpoint(Json value, EngineStage<JobReply> answer) {

    void fail(Throwable why) {
      answer.completeExceptionally(why);
    }

    void stop(Cancellation why) {
      fail(new CancelledException(why));
    }
  }

  private final Function<Json, CompletionStage<JobReply>> question;
  private final Questions questions;
  private final CancellationToken token;
  private final Runnable alive;
  private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile @Nullable Checkpoint newest;
  private volatile boolean over;

  /// @param question asks the job once
  /// @param alive called when there is an answer
  CheckpointLine(
      Function<Json, CompletionStage<JobReply>> question,
      Questions questions,
      CancellationToken token,
      Runnable alive) {
    this.question = question;
    this.questions = questions;
    this.token = token;
    this.alive = alive;
  }

  /// Keeps a value. A cancelled attempt may leave one more: it is asked for once.
  CompletionStage<JobReply> keep(Json value) {
    var made = new Checkpoint(value, new EngineStage<>());
    if (!token.isCancelled()) {
      token.onCancelUntil(made.answer(), THREADS, made::stop);
    }
    inOrder(
        made,
        () -> {
          newest = made;
          ask(made);
        });
    return made.answer();
  }

  /// Whether the newest is not answered yet.
  boolean isOpen() {
    var last = newest;
    return last != null && !last.answer().isDone();
  }

  /// The handler has ended: nothing is asked for again.
  void close() {
    over = true;
  }

  private void ask(Checkpoint made) {
    question
        .apply(made.value())
        .whenCompleteAsync((reply, failure) -> onReply(made, reply, failure), THREADS);
  }

  private void onReply(Checkpoint made, @Nullable JobReply reply, @Nullable Throwable failure) {
    switch (reply) {
      case null -> unanswered(made, failure);
      case JobReply.Unavailable(var job, var reason, var retryAfter) ->
          againAfter(retryAfter, made);
      case JobReply answer -> {
        alive.run();
        made.answer().complete(answer);
      }
    }
  }

  /// There was no answer in time; or there will be none, for the engine has ended.
  private void unanswered(Checkpoint made, @Nullable Throwable failure) {
    if (questions.over() == null) {
      again(made);
    } else {
      made.fail(failure);
    }
  }

  /// A scheduler that takes nothing any more is that of an engine that has ended.
  private void againAfter(Duration pause, Checkpoint made) {
    try {
      questions.system().scheduler().scheduleOnce(pause, () -> again(made), STEPS);
    } catch (RuntimeException ended) {
      made.fail(ended);
    }
  }

  private void again(Checkpoint made) {
    token.cancellation().ifPresent(made::stop);
    if (over) {
      made.fail(new IllegalStateException("the handler has ended before its checkpoint was kept"));
    }
    if (!made.answer().isDone()) {
      inOrder(made, () -> askOrShare(made));
    }
  }

  private void askOrShare(Checkpoint made) {
    if (made == newest) {
      ask(made);
    } else {
      share(newest, made);
    }
  }

  private void inOrder(Checkpoint made, Runnable step) {
    steps.add(() -> tryTo(step, made));
    if (waiting.getAndIncrement() == 0) {
      do {
        steps.remove().run();
      } while (waiting.decrementAndGet() > 0);
    }
  }

  private static void tryTo(Runnable step, Checkpoint made) {
    try {
      step.run();
    } catch (Throwable noMemory) {
      made.fail(noMemory);
    }
  }

  private static void share(Checkpoint newer, Checkpoint made) {
    newer
        .answer()
        .whenCompleteAsync(
            (reply, failure) -> {
              if (failure == null) {
                made.answer().complete(reply);
              } else {
                made.fail(failure);
              }
            },
            THREADS);
  }
}
