package dev.handoff.internal.facade;

import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.EngineStage;
import dev.handoff.internal.ask.FullHeapSteps;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Watch for the end of a job or a plan, however long that takes. Its question waits at the actor
/// until the end. The watch repeats the question when it expires or is turned away, because a
/// question is cheap and an answer may get lost.
///
/// ```
/// asked ──the end, or not found──▶ over
///   │ ▲ └──the stage is completed or cancelled by its user: the question is withdrawn──▶ over
///   ▼ └─after a pause─┐
/// expired, turned away ──the engine has ended──▶ over
/// ```
///
/// @param <R> reply of the actor
public final class EndWatch<R> {

  private final RunningEngine engine;
  private final CompletableFuture<?> ended;
  private final Supplier<CompletionStage<R>> question;
  private final Predicate<R> reader;
  private final Consumer<@Nullable R> hearing = this::onReply;
  private final Consumer<EndWatch<R>> asking = EndWatch::ask;
  private final Runnable again = this::askAgain;
  private volatile @Nullable CompletableFuture<R> open;

  /// @param ended stage of the watch; it fails with an [UnavailableException] at the engine's end
  /// @param question sends the question; the stage fails if there is no answer
  /// @param reader completes the stage of the watch; false if the reply says nothing about the end
  public EndWatch(
      RunningEngine engine,
      CompletableFuture<?> ended,
      Supplier<CompletionStage<R>> question,
      Predicate<R> reader) {
    this.engine = engine;
    this.ended = ended;
    this.question = question;
    this.reader = reader;
  }

  public void start() {
    EngineStage.whenDone(ended, (end, failure) -> withdraw());
    ask();
  }

  private void ask() {
    if (ended.isDone()) {
      return;
    }
    var asked = question.get().toCompletableFuture();
    open = asked;
    asked.whenComplete((reply, failure) -> FullHeapSteps.outlast(hearing, reply));
    if (ended.isDone()) {
      withdraw();
    }
  }

  /// Cancels the open question, so that the registry of questions forgets it.
  private void withdraw() {
    var asked = open;
    if (asked != null) {
      asked.cancel(false);
    }
  }

  private void onReply(@Nullable R reply) {
    if (ended.isDone() || reply != null && reader.test(reply)) {
      return;
    }
    var over = reply == null ? engine.calls().over() : null;
    if (over == null) {
      askLater();
    } else {
      ended.completeExceptionally(new UnavailableException(over));
    }
  }

  private void askAgain() {
    FullHeapSteps.outlast(asking, this);
  }

  /// Repeats the question after a delay: the actor is overloaded, or its store is away. Random
  /// jitter spreads the callers' retries.
  private void askLater() {
    long millis = engine.settings().ledger().retryAfter().toMillis();
    long varied = millis + ThreadLocalRandom.current().nextLong(millis + 1);
    engine.calls().pause(Duration.ofMillis(varied)).thenRun(again);
  }
}
