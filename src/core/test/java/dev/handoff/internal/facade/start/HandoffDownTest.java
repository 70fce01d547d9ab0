package dev.handoff.internal.facade.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.Submission;
import dev.handoff.UnavailableException;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.store.KeyHolder;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Sink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An engine whose store somebody else has taken over")
class HandoffDownTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.MEMORY);
  private final HeldHandler held = new HeldHandler();
  private final BlockingQueue<String> reasons = new LinkedBlockingQueue<>();
  private HeldStore store;
  private Handoff handoff;

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private void start() {
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .around(inner -> store = new HeldStore(inner))
            .partitions(2)
            .handler("held", Json.class, held)
            .onDown(reasons::add)
            .start();
  }

  private void takeOver() {
    BoundedWaits.get(store.takeOver(0, "somebody else"));
    BoundedWaits.get(store.takeOver(1, "somebody else"));
  }

  @Test
  void saysSoOnce() {
    start();
    takeOver();

    handoff.submit(JobRequest.of("held"));
    handoff.submit(JobRequest.of("held"));

    assertThat(BoundedWaits.take(reasons)).contains("was taken over by").contains("somebody else");
    assertThat(BoundedWaits.get(handoff.health()).ready()).isFalse();
    assertThat(BoundedWaits.get(handoff.health()).problems())
        .singleElement()
        .asString()
        .startsWith("the engine is down: partition");
    handoff.close();
    assertThat(reasons).isEmpty();
  }

  @Test
  void answersWhoeverWaitsAndWhoeverComes() {
    start();
    var job = handoff.submitOrThrow(JobRequest.of("held"));
    var attempt = held.next();
    var result = job.result();
    var events = handoff.events().runWith(Sink.seq(), actors.system());
    takeOver();

    var unlucky = handoff.submit(JobRequest.of("held"));
    var other = handoff.submit(JobRequest.of("held"));

    assertThat(BoundedWaits.get(unlucky)).isInstanceOf(Submission.Unavailable.class);
    assertThat(BoundedWaits.get(other)).isInstanceOf(Submission.Unavailable.class);
    assertThat(BoundedWaits.get(handoff.submit(JobRequest.of("held"))))
        .isInstanceOfSatisfying(
            Submission.Unavailable.class,
            answer -> assertThat(answer.reason()).startsWith("the engine is down"));
    assertThatThrownBy(() -> BoundedWaits.get(result)).isInstanceOf(UnavailableException.class);
    assertThatThrownBy(() -> BoundedWaits.get(job.status()))
        .isInstanceOf(UnavailableException.class);
    assertThat(BoundedWaits.get(events)).isNotNull();
    attempt.succeed(null);
  }

  /// Running attempts cannot report to any partition.
  @Test
  void endsAtOnceIfItIsBeingClosed() {
    start();
    handoff.submitOrThrow(JobRequest.of("held"));
    var attempt = held.next();
    store.holdWrites();
    attempt.succeed(null);
    var write = store.nextWrite();
    var closed = CompletableFuture.runAsync(handoff::close, Thread::startVirtualThread);
    BoundedWaits.until("it is being closed", () -> !BoundedWaits.get(handoff.health()).ready());

    write.answer(new WriteResult.Fenced("somebody else"));

    BoundedWaits.get(closed);
  }

  @Test
  void stopsWhatItRuns() {
    start();
    handoff.submitOrThrow(JobRequest.of("held"));
    var attempt = held.next();
    takeOver();

    handoff.submit(JobRequest.of("held"));
    handoff.submit(JobRequest.of("held"));

    var token = attempt.job().cancellation();
    BoundedWaits.until("it is told", token::isCancelled);
    assertThat(token.cancellation().orElseThrow().cause()).isEqualTo(Cancellation.Cause.LEASE_LOST);
  }

  @Test
  void doesNotRunWhatItCouldNotClaim() {
    start();
    store.holdWrites();
    var soon = JobRequest.of("held").delay(Duration.ofMillis(50));
    var submission = handoff.submit(soon);
    store.nextWrite().go();
    assertThat(BoundedWaits.get(submission)).isInstanceOf(Submission.Accepted.class);
    var claim = store.nextWrite();

    takeOver();
    claim.go();

    BoundedWaits.take(reasons);
    assertThat(held.waiting()).isZero();
  }

  /// Store whose method throws.
  private enum Bug {
    WRITE("the ledger of partition 0 failed"),
    FIND_KEYS("its part \"partition-0\" failed"),
    FORGET("its part \"retention\" failed");

    final String told;

    Bug(String told) {
      this.told = told;
    }
  }

  /// Store with a bug. Retention starts early: its calls during the start wait for the end of the
  /// start.
  private static Store with(Bug bug, Store inner, CompletableFuture<Void> started) {
    return new StoreAround(inner) {
      private void fail(Bug here) {
        if (bug == here) {
          throw new IllegalStateException("a bug");
        }
      }

      @Override
      public CompletionStage<WriteResult> write(StoreBatch batch) {
        fail(Bug.WRITE);
        return super.write(batch);
      }

      @Override
      public CompletionStage<Map<String, KeyHolder>> findKeys(Collection<String> keys) {
        fail(Bug.FIND_KEYS);
        return super.findKeys(keys);
      }

      @Override
      public CompletionStage<Integer> forget(Instant finishedBefore, int limit) {
        if (bug == Bug.FORGET && !started.isDone()) {
          return started.thenApply(now -> limit);
        }
        fail(Bug.FORGET);
        return super.forget(finishedBefore, limit);
      }
    };
  }

  @ParameterizedTest
  @EnumSource(Bug.class)
  void isDownAsWellWhenAPartOfItFails(Bug bug) {
    var started = new CompletableFuture<Void>();
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .around(inner -> with(bug, inner, started))
            .partitions(1)
            .handler("held", Json.class, held)
            .onDown(reasons::add)
            .start();
    started.complete(null);

    var unlucky = handoff.submit(JobRequest.of("held").key("k"));

    assertThat(BoundedWaits.take(reasons)).startsWith(bug.told).contains("a bug");
    assertThat(BoundedWaits.get(handoff.health()).ready()).isFalse();
    assertThat(BoundedWaits.get(unlucky)).isNotNull();
    assertThat(BoundedWaits.get(handoff.submit(JobRequest.of("held"))))
        .isInstanceOf(Submission.Unavailable.class);
  }

  @Test
  void whoseListenerThrowsIsDownAllTheSame() {
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .around(inner -> store = new HeldStore(inner))
            .partitions(1)
            .handler("held", Json.class, held)
            .onDown(
                reason -> {
                  reasons.add(reason);
                  throw new IllegalStateException("a listener that fails");
                })
            .start();
    BoundedWaits.get(store.takeOver(0, "somebody else"));

    assertThat(BoundedWaits.get(handoff.submit(JobRequest.of("held"))))
        .isInstanceOf(Submission.Unavailable.class);
    assertThat(BoundedWaits.take(reasons)).isNotEmpty();
    assertThat(BoundedWaits.get(handoff.health()).problems()).hasSize(1);
    assertThat(List.copyOf(reasons)).isEmpty();
  }

  /// Threads whose creation or start fails at first with an `OutOfMemoryError`.
  private enum Full implements ThreadFactory {
    WHEN_ONE_IS_MADE {
      @Override
      public Thread newThread(Runnable task) {
        if (tries++ < 3) {
          throw new OutOfMemoryError("at first");
        }
        return new Thread(task);
      }
    },
    WHEN_ONE_IS_STARTED {
      @Override
      public Thread newThread(Runnable task) {
        return new Thread(task) {
          @Override
          public void start() {
            if (tries++ < 3) {
              throw new OutOfMemoryError("at first");
            }
            super.start();
          }
        };
      }
    };

    int tries;
  }

  @ParameterizedTest
  @EnumSource(Full.class)
  void saysSoAsSoonAsThereIsMemoryForThat(Full full) {
    full.tries = 0;
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .around(inner -> store = new HeldStore(inner))
            .partitions(1)
            .handler("held", Json.class, held)
            .onDown(reasons::add)
            .onDownThreads(full)
            .start();
    BoundedWaits.get(store.takeOver(0, "somebody else"));

    handoff.submit(JobRequest.of("held"));

    assertThat(BoundedWaits.take(reasons)).contains("was taken over by");
    assertThat(full.tries).isEqualTo(4);
    assertThat(reasons).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Full.class)
  void saysSoAsSoonAsThereIsMemoryForThatWhenItsHostEnds(Full full) {
    full.tries = 0;
    var settings = ConfigFactory.parseString("pekko.coordinated-shutdown.exit-jvm = off");
    var host =
        ActorSystem.create(Behaviors.empty(), "host", settings.withFallback(ConfigFactory.load()));
    handoff =
        EngineBuilder.on(host)
            .store(home.store())
            .partitions(1)
            .handler("held", Json.class, held)
            .onDown(reasons::add)
            .onDownThreads(full)
            .start();

    host.terminate();

    assertThat(BoundedWaits.take(reasons)).isEqualTo(EngineEnd.SYSTEM_ENDED);
    assertThat(full.tries).isEqualTo(4);
  }
}
