package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.engine.Facts;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.job.JobOptions;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobStatus;
import dev.handoff.job.Json;
import dev.handoff.job.SubmitReply;
import dev.handoff.ledger.StoredFacts;
import dev.handoff.store.Batch;
import dev.handoff.store.Store;
import dev.handoff.store.WriteResult;
import dev.handoff.testing.Actors;
import dev.handoff.testing.Soon;
import dev.handoff.testing.StoreAround;
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

  /// Nothing is made good by a heartbeat.
  private static final String NO_HEARTBEATS = "dispatch { heartbeat = 1h, lease = 3h }";

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  @Test
  void acceptsAndClaimsAJobInOneCommit() {
    var batches = new ConcurrentLinkedQueue<List<Class<?>>>();
    try (var house =
        plan(8, 2)
            .around(inner -> new Noting(inner, batches))
            .handler("t", job -> Json.NULL)
            .build(actors)) {

      Soon.until("one was claimed at once", () -> isClaimedAtOnce(house, batches));

      house.awaitRest();
    }
  }

  private static boolean isClaimedAtOnce(House house, Queue<List<Class<?>>> batches) {
    house.end(house.submit("t"));
    return batches.contains(List.of(JobFact.Submitted.class, JobFact.Claimed.class));
  }

  /// History is asked for the key first, whoever is at hand.
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

        var jobs = answers.stream().map(Soon::get).map(ClaimedAtOnceTest::job).distinct().toList();
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

  /// Both in one partition as well as one in each: a worker that was lent to the other one is
  /// recalled at once.
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

  private static void expectSuccess(House house, JobId job) {
    assertThat(house.end(job).status(Instant.MAX)).isEqualTo(JobStatus.SUCCEEDED);
  }

  /// Its grace is longer than this test waits for anything.
  @Test
  void stopsWithoutWaitingForWorkersThatAreAtHand() {
    try (var house =
        plan(8, 2).settings("shutdown-grace = 1h").handler("t", job -> Json.NULL).build(actors)) {
      house.end(house.submit("t"));

      house.shutDown();
    }
  }

  private static House.Plan plan(int workers, int partitions) {
    return House.plan()
        .settings("workers = " + workers)
        .settings(NO_HEARTBEATS)
        .partitions(partitions);
  }

  /// Notes the kinds of facts of each batch.
  private static final class Noting extends StoreAround {
    private final Queue<List<Class<?>>> batches;

    Noting(Store inner, Queue<List<Class<?>>> batches) {
      super(inner);
      this.batches = batches;
    }

    @Override
    public CompletionStage<WriteResult> write(Batch batch) {
      batches.add(
          StoredFacts.in(batch.facts(), Facts.codec()).stream()
              .<Class<?>>map(stored -> stored.event().getClass())
              .toList());
      return super.write(batch);
    }
  }
}
