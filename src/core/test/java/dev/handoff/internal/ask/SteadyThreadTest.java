package dev.handoff.internal.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.handoff.testing.BoundedWaits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A steady thread")
class SteadyThreadTest {

  private final AtomicInteger made = new AtomicInteger();
  private final CompletableFuture<Throwable> told = new CompletableFuture<>();
  private final ExecutorService steady = new SteadyThread(this::onlyOne);

  @AfterEach
  void shutDown() {
    steady.shutdown();
  }

  /// Thread factory that fails after the first thread, as in a full heap.
  private Thread onlyOne(Runnable work) {
    if (made.getAndIncrement() > 0) {
      throw new OutOfMemoryError("no room for another thread");
    }
    var thread = new Thread(work);
    thread.setUncaughtExceptionHandler(
        (ended, failure) -> {
          told.complete(failure);
          throw new OutOfMemoryError("no room to tell");
        });
    return thread;
  }

  @Test
  void goesOnAfterATaskThatThrowsAnError() {
    var error = new OutOfMemoryError("in a task");
    steady.execute(
        () -> {
          throw error;
        });

    assertThat(BoundedWaits.get(CompletableFuture.supplyAsync(() -> "run", steady)))
        .isEqualTo("run");
    assertThat(BoundedWaits.get(told)).isSameAs(error);
    assertThat(made).hasValue(1);
  }

  @Test
  void goesOnAfterATaskThatLeavesItInterrupted() {
    steady.execute(() -> Thread.currentThread().interrupt());

    assertThat(BoundedWaits.get(CompletableFuture.supplyAsync(() -> "run", steady)))
        .isEqualTo("run");
  }

  @Test
  void endsWhenItIsShutDownAfterWhatItHas() throws InterruptedException {
    var last = CompletableFuture.supplyAsync(() -> "run", steady);

    steady.shutdown();

    assertThat(BoundedWaits.get(last)).isEqualTo("run");
    assertThat(steady.awaitTermination(BoundedWaits.PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isTrue();
    assertThat(steady.isTerminated()).isTrue();
    assertThatThrownBy(() -> steady.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }

  /// The error ends the actor system, but not the thread that answers questions.
  @Test
  void isWhatQuestionsHave() {
    var config = ConfigFactory.parseString("pekko.jvm-exit-on-fatal-error = off");
    var system =
        ActorSystem.create(Behaviors.empty(), "erring", config.withFallback(ConfigFactory.load()));
    var threads =
        system.dispatchers().lookup(DispatcherSelector.fromConfig(ActorQuestions.DISPATCHER));

    var before = CompletableFuture.supplyAsync(Thread::currentThread, threads);
    threads.execute(
        () -> {
          throw new OutOfMemoryError("in an actor");
        });
    var after = CompletableFuture.supplyAsync(Thread::currentThread, threads);

    assertThat(BoundedWaits.get(after)).isSameAs(BoundedWaits.get(before));
    BoundedWaits.get(PekkoStages.endOf(system));
  }
}
