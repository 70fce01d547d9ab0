package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.ledger.StoredFacts;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.TestActors;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("An idle engine with workers at hand")
class ClaimedAtOnceTest {

  /// No heartbeat repairs a lost message during the test.
  private static final String NO_HEARTBEATS = "dispatch { heartbeat = 1h, lease = 3h }";

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  @Test
  void acceptsAndClaimsAJobInOneCommit() {
    var batches = new ConcurrentLinkedQueue<List<Class<?>>>();
    try (var house =
        plan(8, 2)
            .around(inner -> new Noting(inner, batches))
            .handler("t", job -> Json.NULL)
            .build(actors)) {

      BoundedWaits.until("one was claimed at once", () -> isClaimedAtOnce(house, batches));

      house.awaitRest();
    }
  }

  private static boolean isClaimedAtOnce(InMemoryEngine house, Queue<List<Class<?>>> batches) {
    house.end(house.submit("t"));
    return batches.contains(List.of(JobFact.Submitted.class, JobFact.Claimed.class));
  }

  /// The key look-up in history comes first, even if workers are idle.
  @Test
  void runsAJobOfWhichTheKeyIsSubmittedManyTimesOnce() {
    var runs = new AtomicInteger();
    var plan = plan(8, 2).handler("t", job -> Json.of(String.valueOf(runs.incrementAndGet())));
    try (var house = plan.build(actors)) {
      house.end(house.submit("t"));
      runs.set(0);
      for (int round = 1; round <= 20; round++) {
        var spec =
            new JobSpec("t", Json.NULL, "any", 0, "key-" + round, null, JobOptions.DEFAULT, null);

        var answers = Stream.generate(() -> house.submitting(spec)).limit(5).toList();

        var jobs =
            answers.stream().map(BoundedWaits::get).map(ClaimedAtOnceTest::job).distinct().toList();
        assertThat(jobs).hasSize(1);
        expectSuccess(house, jobs.getFirst());
        assertThat(runs).hasValue(round);
      }
    }
  }

  private static JobId job(SubmitReply reply) {
    return switch (reply) {
      case SubmitReply.Accepted(var job) -> job;
      case SubmitReply.Existing(var job) -> job;
      case SubmitReply other -> throw new AssertionError(other);
    };
  }

  /// The jobs are in one partition, or in two. A worker lent to the wrong partition is recalled at
  /// once.
  @Test
  void usesEachWorkerWhereverItWasLent() {
    var both = new CyclicBarrier(2);
    var plan =
        plan(2, 2)
            .handler(
                "meeting",
                attempt -> {
                  both.await(10, TimeUnit.SECONDS);
                  return Json.NULL;
                });
    try (var house = plan.build(actors)) {
      for (int round = 0; round < 40; round++) {
        var jobs = Stream.generate(() -> house.submit("meeting")).limit(2).toList();
        jobs.forEach(job -> expectSuccess(house, job));
      }
      house.awaitRest();
    }
  }

  @Test
  void servesFourPartitionsWithOneWorker() {
    try (var house = plan(1, 4).handler("t", job -> Json.NULL).build(actors)) {
      var jobs = Stream.generate(() -> house.submit("t")).limit(40).toList();
      jobs.forEach(job -> expectSuccess(house, job));
      house.awaitRest();
    }
  }

  private static void expectSuccess(InMemoryEngine house, JobId job) {
    assertThat(house.end(job).status(Instant.MAX)).isEqualTo(JobStatus.SUCCEEDED);
  }

  /// The shutdown grace exceeds every wait of the test.
  @Test
  void stopsWithoutWaitingForWorkersThatAreAtHand() {
    try (var house =
        plan(8, 2).settings("shutdown-grace = 1h").handler("t", job -> Json.NULL).build(actors)) {
      house.end(house.submit("t"));

      house.shutDown();
    }
  }

  private static InMemoryEngine.Plan plan(int workers, int partitions) {
    return InMemoryEngine.plan()
        .settings("workers = " + workers)
        .settings(NO_HEARTBEATS)
        .partitions(partitions);
  }

  /// Records the kinds of facts in each batch.
  private static final class Noting extends StoreAround {
    private final Queue<List<Class<?>>> batches;

    Noting(Store inner, Queue<List<Class<?>>> batches) {
      super(inner);
      this.batches = batches;
    }

    @Override
    public CompletionStage<WriteResult> write(StoreBatch batch) {
      batches.add(
          StoredFacts.in(batch.facts(), FactFolding.codec()).stream()
              .<Class<?>>map(stored -> stored.event().getClass())
              .toList());
      return super.write(batch);
    }
  }
}
