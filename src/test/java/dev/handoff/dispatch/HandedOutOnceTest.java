package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.job.Backoff;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.job.JobOptions;
import dev.handoff.job.JobSpec;
import dev.handoff.job.Json;
import dev.handoff.job.SubmitReply;
import dev.handoff.store.Batch;
import dev.handoff.store.Store;
import dev.handoff.store.WriteResult;
import dev.handoff.testing.Actors;
import dev.handoff.testing.History;
import dev.handoff.testing.Invariants;
import dev.handoff.testing.Seeds;
import dev.handoff.testing.Soon;
import dev.handoff.testing.StoreAround;
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

/// Many clients submit, with keys that come twice, cancel and open again, while the store is slow
/// and messages get lost, doubled and late. Afterwards the whole history is looked through.
@DisplayName("Whatever clients do at once, and whatever becomes of messages,")
@Tag("issue_7357")
class HandedOutOnceTest {

  private static final Duration HEARTBEAT = Duration.ofMillis(100);
  private static final int CLIENTS = 6;
  private static final int JOBS = 20;
  private static final int LIMIT = 2;

  @RegisterExtension static final Actors actors = Actors.inRealTime().with(FaultyMailbox.CONFIG);

  @Test
  void theHistoryBreaksNoRule() {
    var all = new ConcurrentLinkedQueue<History>();
    Seeds.each(
        8,
        random -> {
          var faults = Faults.atRandom(random, 0.03, HEARTBEAT.multipliedBy(3).dividedBy(2));
          var history = new History();
          all.add(history);
          try (var house = house(history, random.nextLong())) {
            house.change("two", new Queues.Limited(LIMIT));
            faults.install();
            work(house, history, random.nextLong());
            history.all(History.Accepted.class).forEach(one -> house.end(one.job()));
            faults.stop();
            house.awaitRest();

            Invariants.check(history, house.ends(history), Map.of("two", LIMIT));
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

  private static House house(History history, long seed) {
    return House.plan()
        .settings("workers = 8")
        .settings("dispatch.heartbeat = %dms".formatted(HEARTBEAT.toMillis()))
        .settings("cancel { grace = 200ms, abandon = 10s, repeat = 100ms }")
        .handler("work", attempt -> attempt(attempt, history))
        .watched(history)
        .around(inner -> new Slow(inner, new Random(seed)))
        .build(actors);
  }

  /// Some fail, some wait for their cancel for a while, most just end.
  private static Json attempt(Attempt attempt, History history) throws InterruptedException {
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

  private static void work(House house, History history, long seed) {
    var clients = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < CLIENTS; i++) {
      var random = new Random(seed + i);
      clients.add(
          CompletableFuture.runAsync(
              () -> client(house, history, random), Thread::startVirtualThread));
    }
    clients.forEach(Soon::get);
  }

  private static void client(House house, History history, Random random) {
    for (int i = 0; i < JOBS; i++) {
      var job = submit(house, history, random);
      if (random.nextInt(4) == 0) {
        Soon.get(house.cancelling(job));
      }
      if (random.nextInt(6) == 0) {
        history.told(house.end(job));
        house.retry(job);
      }
    }
  }

  private static JobId submit(House house, History history, Random random) {
    var key = random.nextBoolean() ? null : "key-" + random.nextInt(40);
    var queue = random.nextInt(3) == 0 ? "two" : "any";
    int maxAttempts = 1 + random.nextInt(3);
    var options = new JobOptions(null, null, maxAttempts, Backoff.none(), Map.of());
    var spec = new JobSpec("work", Json.NULL, queue, 0, key, null, options, null);
    return switch (Soon.get(house.submitting(spec))) {
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

  /// Takes up to some milliseconds for a batch.
  private static final class Slow extends StoreAround {
    private final Random random;

    Slow(Store inner, Random random) {
      super(inner);
      this.random = random;
    }

    @Override
    public CompletionStage<WriteResult> write(Batch batch) {
      var later = CompletableFuture.delayedExecutor(random.nextInt(6), TimeUnit.MILLISECONDS);
      return CompletableFuture.<Void>supplyAsync(() -> null, later)
          .thenCompose(none -> super.write(batch));
    }
  }
}
