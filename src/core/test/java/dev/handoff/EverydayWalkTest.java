package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.RandomSeeds;
import dev.handoff.testing.StoreDirectory;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Random concurrent use of all public functions. At the end, every accepted job has ended, and was
/// started no more often than its attempts allow.
@DisplayName("An engine in everyday use")
class EverydayWalkTest {

  private static final int PEOPLE = 4;
  private static final int STEPS = 80;
  private static final List<String> QUEUES = List.of("a", "b", "c");

  private final Map<JobId, AtomicInteger> starts = new ConcurrentHashMap<>();
  private final Map<JobId, Boolean> accepted = new ConcurrentHashMap<>();

  private Handoff start(StoreDirectory home) {
    return Handoff.builder()
        .store(home.store())
        .partitions(2)
        .workers(3)
        .shutdownGrace(Duration.ofMillis(100))
        .cancelling(Duration.ofMillis(50), Duration.ofSeconds(5))
        .handler("quick", Json.class, (payload, job) -> started(job, payload))
        .handler("flaky", Json.class, this::flaky)
        .handler("slow", Json.class, this::slow)
        .handler("parent", Json.class, this::parent)
        .start();
  }

  private Object started(JobContext job, Object result) {
    starts.computeIfAbsent(job.id(), first -> new AtomicInteger()).incrementAndGet();
    return result;
  }

  private Object flaky(Json payload, JobContext job) {
    started(job, null);
    job.log("attempt " + job.attempt());
    if ((job.id().hashCode() + job.attempt()) % 2 == 0) {
      throw new IllegalStateException("not today");
    }
    return null;
  }

  private Object slow(Json payload, JobContext job) throws InterruptedException {
    started(job, null);
    for (int i = 0; i < 10; i++) {
      job.progress(i / 10.0, "step " + i);
      if (job.cancellation().await(Duration.ofMillis(5))) {
        job.cancellation().throwIfCancelled();
      }
    }
    return null;
  }

  private Object parent(Json payload, JobContext job) throws Exception {
    started(job, null);
    for (int i = 0; i < 2; i++) {
      var child = BoundedWaits.get(job.submit(JobRequest.of("flaky").key("child-" + i).queue("b")));
      if (child instanceof Submission.Accepted(var handle)) {
        accepted.put(handle.id(), true);
        job.await(handle);
      } else if (child instanceof Submission.Existing(var handle)) {
        job.await(handle);
      }
    }
    return null;
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "POSTGRES"})
  void losesNothingAndStartsNothingWithoutACause(StoreDirectory.Kind kind) {
    RandomSeeds.each(
        1,
        random -> {
          starts.clear();
          accepted.clear();
          live(kind, random.nextLong());
        });
  }

  private void live(StoreDirectory.Kind kind, long seed) {
    try (var home = StoreDirectory.of(kind)) {
      for (int round = 0; round < 2; round++) {
        try (var handoff = start(home)) {
          walk(handoff, seed + round);
        }
      }
      try (var handoff = start(home)) {
        settle(handoff);
      }
    }
  }

  private void walk(Handoff handoff, long seed) {
    var people =
        IntStream.range(0, PEOPLE)
            .mapToObj(
                number -> {
                  var random = new Random(seed * 31 + number);
                  return CompletableFuture.runAsync(
                      () -> IntStream.range(0, STEPS).forEach(i -> step(handoff, random)),
                      person -> Thread.ofVirtual().start(person));
                })
            .toList();
    people.forEach(CompletableFuture::join);
  }

  private void step(Handoff handoff, Random random) {
    int dice = random.nextInt(100);
    if (dice < 50) {
      submit(handoff, random);
    } else if (dice < 65) {
      some(random).ifPresent(id -> BoundedWaits.get(handoff.cancel(id, "why not").requested()));
    } else if (dice < 80) {
      some(random).ifPresent(id -> BoundedWaits.get(handoff.retry(id, "me")));
    } else if (dice < 85) {
      BoundedWaits.get(
          handoff.queues().limit(queue(random), OptionalInt.of(1 + random.nextInt(2))));
    } else if (dice < 88) {
      BoundedWaits.get(handoff.queues().limit(queue(random), OptionalInt.empty()));
    } else if (dice < 91) {
      BoundedWaits.get(handoff.queues().pause(queue(random)));
    } else if (dice < 97) {
      BoundedWaits.get(handoff.queues().resume(queue(random)));
    } else {
      pages(handoff);
    }
  }

  private void submit(Handoff handoff, Random random) {
    var types = List.of("quick", "flaky", "slow", "parent");
    var request =
        JobRequest.of(types.get(random.nextInt(types.size())), random.nextInt(2))
            .queue(queue(random))
            .priority(random.nextInt(3))
            .maxAttempts(1 + random.nextInt(3))
            .backoff(Backoff.fixed(Duration.ofMillis(random.nextInt(20))));
    if (random.nextInt(3) == 0) {
      request = request.key("key-" + random.nextInt(8));
    }
    if (random.nextInt(4) == 0) {
      request = request.delay(Duration.ofMillis(random.nextInt(50)));
    }
    if (BoundedWaits.get(handoff.submit(request)) instanceof Submission.Accepted(var handle)) {
      accepted.put(handle.id(), true);
    }
  }

  private Optional<JobId> some(Random random) {
    var all = List.copyOf(accepted.keySet());
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  private static String queue(Random random) {
    return QUEUES.get(random.nextInt(QUEUES.size()));
  }

  private static void pages(Handoff handoff) {
    var seen = new HashSet<JobId>();
    var cursor = Optional.<String>empty();
    do {
      var page = BoundedWaits.get(handoff.jobs(JobFilter.ALL, cursor, 50));
      page.jobs().forEach(job -> assertThat(seen.add(job.id())).isTrue());
      cursor = page.next();
    } while (cursor.isPresent());
  }

  private void settle(Handoff handoff) {
    for (var queue : QUEUES) {
      BoundedWaits.get(handoff.queues().resume(queue));
      BoundedWaits.get(handoff.queues().limit(queue, OptionalInt.empty()));
    }
    BoundedWaits.until(
        "all jobs have ended",
        () ->
            List.of(
                    JobStatus.QUEUED,
                    JobStatus.SCHEDULED,
                    JobStatus.CLAIMED,
                    JobStatus.RUNNING,
                    JobStatus.CANCELLING)
                .stream()
                .allMatch(
                    status ->
                        BoundedWaits.get(
                                handoff.jobs(
                                    JobFilter.ALL.status(status), Optional.empty(), 10_000))
                            .jobs()
                            .isEmpty()));
    for (var id : accepted.keySet()) {
      var job = BoundedWaits.get(handoff.job(id)).orElseThrow();
      int started = starts.getOrDefault(id, new AtomicInteger()).get();
      assertThat(job.status().isTerminal()).as("%s", job.toJson()).isTrue();
      assertThat(started).as("%s", job.toJson()).isLessThanOrEqualTo(job.attempt());
    }
    assertThat(BoundedWaits.get(handoff.health()).busy()).isZero();
  }
}
