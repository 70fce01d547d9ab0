package dev.handoff.internal.dispatch.worker;

import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.ask.EngineStage;
import dev.handoff.internal.job.ReportReply;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;

/// Checkpoints of one attempt. Each is requested until it is durable, however long the store is
/// away. Only the newest is repeated; an older checkpoint shares the newest one's answer, since its
/// repetition could overwrite the newer value.
///
/// Reading the newest checkpoint and sending its request are one atomic step. Steps run one after
/// another on whichever thread comes first, without blocking.
final class CheckpointWriter {

  private static final Executor THREADS = CallbackThreads.answers();
  private static final ExecutionContext STEPS = ExecutionContext.fromExecutor(THREADS);

  private record Checkpoint(Json value, EngineStage<ReportReply> answer) {

    void fail(Throwable why) {
      answer.completeExceptionally(why);
    }

    void stop(Cancellation why) {
      fail(new CancelledException(why));
    }
  }

  private final Function<Json, CompletionStage<ReportReply>> question;
  private final ActorQuestions questions;
  private final CancellationToken token;
  private final Runnable alive;
  private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile @Nullable Checkpoint newest;
  private volatile boolean over;

  /// @param question sends one request to the job
  /// @param alive called on each answer
  CheckpointWriter(
      Function<Json, CompletionStage<ReportReply>> question,
      ActorQuestions questions,
      CancellationToken token,
      Runnable alive) {
    this.question = question;
    this.questions = questions;
    this.token = token;
    this.alive = alive;
  }

  /// Stores a value. A cancelled attempt may store one more checkpoint: its request is sent once.
  CompletionStage<ReportReply> keep(Json value) {
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

  /// Whether the newest checkpoint is still unanswered.
  boolean isOpen() {
    var last = newest;
    return last != null && !last.answer().isDone();
  }

  /// Marks the handler's end: requests are not repeated.
  void close() {
    over = true;
  }

  private void ask(Checkpoint made) {
    question
        .apply(made.value())
        .whenCompleteAsync((reply, failure) -> onReply(made, reply, failure), THREADS);
  }

  private void onReply(Checkpoint made, @Nullable ReportReply reply, @Nullable Throwable failure) {
    switch (reply) {
      case null -> unanswered(made, failure);
      case ReportReply.Unavailable(var job, var reason, var retryAfter) ->
          againAfter(retryAfter, made);
      case ReportReply answer -> {
        alive.run();
        made.answer().complete(answer);
      }
    }
  }

  /// Handles a missing reply: a time-out is retried, an ended engine fails the checkpoint.
  private void unanswered(Checkpoint made, @Nullable Throwable failure) {
    if (questions.over() == null) {
      again(made);
    } else {
      made.fail(failure);
    }
  }

  /// A scheduler rejects tasks only after the engine's end.
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
