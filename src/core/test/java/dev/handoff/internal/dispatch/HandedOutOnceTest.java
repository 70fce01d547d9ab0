package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Backoff;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.dispatch.worker.HandlerAttempt;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HistoryInvariants;
import dev.handoff.testing.ObservedHistory;
import dev.handoff.testing.RandomSeeds;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Clients submit with repeated keys, cancel and retry, while the store is slow and messages are
/// lost, doubled and delayed. Afterwards the whole history is checked.
@DisplayName("Whatever clients do at once, and whatever becomes of messages,")
@Tag("issue_7357")
class HandedOutOnceTest {

  private static final Duration HEARTBEAT = Duration.ofMillis(100);
  private static final int CLIENTS = 6;
  private static final int JOBS = 20;
  private static final int LIMIT = 2;

  @RegisterExtension
  static final TestActors actors = TestActors.inRealTime().with(FaultyMailbox.CONFIG);

  @Test
  void theHistoryBreaksNoRule() {
    var all = new ConcurrentLinkedQueue<ObservedHistory>();
    RandomSeeds.each(
        8,
        random -> {
          var faults = MessageFaults.atRandom(random, 0.03, HEARTBEAT.multipliedBy(3).dividedBy(2));
          var history = new ObservedHistory();
          all.add(history);
          try (var house = house(history, random.nextLong())) {
            house.change("two", new Queues.Limited(LIMIT));
            faults.install();
            work(house, history, random.nextLong());
            history.all(ObservedHistory.Accepted.class).forEach(one -> house.end(one.job()));
            faults.stop();
            house.awaitRest();

            HistoryInvariants.check(history, house.ends(history), Map.of("two", LIMIT));
          } finally {
            faults.stop();
          }
          assertThat(faults.happened()).isGreaterThan(10);
        });

    assertThat(all).anyMatch(history -> history.count(JobFact.RetryScheduled.class) > 0);
    assertThat(all).anyMatch(history -> history.count(JobFact.Failed.class) > 0);
    assertThat(all).anyMatch(history -> history.count(JobFact.CancelRequested.class) > 0);
    assertThat(all).anyMatch(history -> history.count(JobFact.Cancelled.class) > 0);
    assertThat(all).anyMatch(history -> history.count(JobFact.Reopened.class) > 0);
  }

  private static InMemoryEngine house(ObservedHistory history, long seed) {
    return InMemoryEngine.plan()
        .settings("workers = 8")
        .settings("dispatch.heartbeat = %dms".formatted(HEARTBEAT.toMillis()))
        .settings("cancel { grace = 200ms, abandon = 10s, repeat = 100ms }")
        .handler("work", attempt -> attempt(attempt, history))
        .watched(history)
        .around(inner -> new Slow(inner, new Random(seed)))
        .build(actors);
  }

  /// Some attempts fail, some wait for a cancel, most just return.
  private static Json attempt(HandlerAttempt attempt, ObservedHistory history)
      throws InterruptedException {
    history.entered(attempt.job(), attempt.number());
    boolean limited = attempt.spec().queue().equals("two");
    if (limited) {
      history.took("two");
    }
    try {
      int fate = Math.floorMod(attempt.job().hashCode() + attempt.number(), 4);
      attempt.cancellation().await(Duration.ofMillis(fate));
      if (fate == 0) {
        throw new IllegalStateException("this time it fails");
      }
      attempt.cancellation().throwIfCancelled();
      return Json.NULL;
    } finally {
      if (limited) {
        history.gave("two");
      }
      history.left(attempt.job(), attempt.number());
    }
  }

  private static void work(InMemoryEngine house, ObservedHistory history, long seed) {
    var clients = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < CLIENTS; i++) {
      var random = new Random(seed + i);
      clients.add(
          CompletableFuture.runAsync(
              () -> client(house, history, random), Thread::startVirtualThread));
    }
    clients.forEach(BoundedWaits::get);
  }

  private static void client(InMemoryEngine house, ObservedHistory history, Random random) {
    for (int i = 0; i < JOBS; i++) {
      var job = submit(house, history, random);
      if (random.nextInt(4) == 0) {
        BoundedWaits.get(house.cancelling(job));
      }
      if (random.nextInt(6) == 0) {
        history.told(house.end(job));
        house.retry(job);
      }
    }
  }

  private static JobId submit(InMemoryEngine house, ObservedHistory history, Random random) {
    var key = random.nextBoolean() ? null : "key-" + random.nextInt(40);
    var queue = random.nextInt(3) == 0 ? "two" : "any";
    int maxAttempts = 1 + random.nextInt(3);
    var options = new JobOptions(null, null, maxAttempts, Backoff.none(), Map.of());
    var spec = new JobSpec("work", Json.NULL, queue, 0, key, null, options, null);
    return switch (BoundedWaits.get(house.submitting(spec))) {
      case SubmitReply.Accepted(var job) -> {
        history.accepted(job, spec);
        yield job;
      }
      case SubmitReply.Existing(var job) -> {
        history.accepted(job, spec);
        yield job;
      }
      case SubmitReply.KeyConflict(var holder, var why) -> holder;
      case SubmitReply other -> throw new AssertionError(other);
    };
  }

  /// Delays each batch by up to some milliseconds.
  private static final class Slow extends StoreAround {
    private final Random random;

    Slow(Store inner, Random random) {
      super(inner);
      this.random = random;
    }

    @Override
    public CompletionStage<WriteResult> write(StoreBatch batch) {
      var later = CompletableFuture.delayedExecutor(random.nextInt(6), TimeUnit.MILLISECONDS);
      return CompletableFuture.<Void>supplyAsync(() -> null, later)
          .thenCompose(none -> super.write(batch));
    }
  }
}
