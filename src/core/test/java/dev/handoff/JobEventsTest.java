package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A stream of events")
class JobEventsTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final int KEPT = 50;

  private final HeldHandler held = new HeldHandler();
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff =
        Handoff.on(actors.system())
            .store(StoreDirectory.of(StoreDirectory.Kind.MEMORY).store())
            .partitions(1)
            .set("events.keep", KEPT)
            .shutdownGrace(Duration.ZERO)
            .cancelling(Duration.ofMillis(10), Duration.ofSeconds(10))
            .handler("held", Json.class, held)
            .handler("done", Json.class, (payload, job) -> payload)
            .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
  }

  /// Collects all later events. Returns when the subscription is active.
  private BlockingQueue<JobEvent> watched() {
    var events = new LinkedBlockingQueue<JobEvent>();
    handoff.events().runForeach(events::add, actors.system());
    var last = new AtomicReference<JobId>();
    BoundedWaits.until(
        "the stream is there",
        () -> {
          var job = handoff.submitOrThrow(JobRequest.of("done"));
          BoundedWaits.get(job.result());
          last.set(job.id());
          return !events.isEmpty();
        });
    // Jobs and their events are sequential: no earlier event can follow.
    BoundedWaits.until(
        "the last job's end is there",
        () -> newest(events).isLast() && newest(events).job().equals(last.get()));
    events.clear();
    return events;
  }

  private static JobEvent newest(BlockingQueue<JobEvent> events) {
    return List.copyOf(events).getLast();
  }

  private static List<JobEvent> upToTheEnd(BlockingQueue<JobEvent> events) {
    var all = new ArrayList<JobEvent>();
    do {
      all.add(BoundedWaits.take(events));
    } while (!all.getLast().isLast());
    return all;
  }

  @Test
  void tellsEverythingInOrder() {
    var events = watched();

    var job = handoff.submitOrThrow(JobRequest.of("held").backoff(Backoff.none()).queue("q"));
    held.next().fail("first");
    var second = held.next();
    var all = new ArrayList<JobEvent>();
    while (all.size() < 6) {
      all.add(BoundedWaits.take(events));
    }
    second.job().progress(0.5, "half");
    second.succeed(1);
    all.addAll(upToTheEnd(events));

    assertThat(all)
        .extracting(JobEvent::name)
        .containsExactly(
            "submitted",
            "claimed",
            "started",
            "retry-scheduled",
            "claimed",
            "started",
            "progress",
            "succeeded");
    assertThat(all).extracting(JobEvent::job).containsOnly(job.id());
    assertThat(all).extracting(JobEvent::queue).containsOnly("q");
    assertThat(all).extracting(JobEvent::type).containsOnly("held");
    assertThat(all.get(3).detail()).isEqualTo("failed: first");
    assertThat(all.get(6).detail()).isEqualTo("50 % half");
    assertThat(all.getLast().status()).isEqualTo(JobStatus.SUCCEEDED);
    for (int i = 1; i < all.size(); i++) {
      assertThat(all.get(i).number()).isEqualTo(all.get(i - 1).number() + 1);
    }
  }

  @Test
  void goesOnAfterTheLastEventThatWasSeen() {
    var events = watched();
    handoff.submitOrThrow(JobRequest.of("done"));
    var all = upToTheEnd(events);

    var resumed =
        handoff
            .eventsAfter(all.get(0).number())
            .takeWhile(event -> !event.isLast(), true)
            .runWith(Sink.seq(), actors.system());

    assertThat(BoundedWaits.get(resumed)).isEqualTo(all.subList(1, all.size()));
  }

  @Test
  void saysWhatItHasMissed() {
    var events = watched();
    handoff.submitOrThrow(JobRequest.of("done"));
    var first = upToTheEnd(events).getFirst();
    for (int i = 0; i < KEPT; i++) {
      BoundedWaits.get(handoff.submitOrThrow(JobRequest.of("done")).result());
    }

    var late = handoff.eventsAfter(first.number()).runWith(Sink.seq(), actors.system());

    assertThatThrownBy(() -> BoundedWaits.get(late))
        .isInstanceOfSatisfying(
            EventGapException.class,
            gap -> {
              assertThat(gap.next()).isGreaterThan(first.number() + KEPT);
              var again =
                  handoff.eventsAfter(gap.next()).take(1).runWith(Sink.head(), actors.system());
              assertThat(BoundedWaits.get(again).number()).isEqualTo(gap.next() + 1);
            });
  }

  @Test
  void saysSoWhenItsPlaceIsOfAnotherEngine() {
    var other = handoff.eventsAfter(Long.MAX_VALUE / 2).runWith(Sink.seq(), actors.system());
    var before = handoff.eventsAfter(17).runWith(Sink.seq(), actors.system());
    var never = handoff.eventsAfter(-1).runWith(Sink.seq(), actors.system());

    for (var stream : List.of(other, before, never)) {
      assertThatThrownBy(() -> BoundedWaits.get(stream)).isInstanceOf(EventGapException.class);
    }
  }

  @Test
  void cutsOffAWatcherWhoIsTooSlow() {
    var goOn = new CompletableFuture<Void>();
    var seen = new LinkedBlockingQueue<JobEvent>();
    var slow =
        handoff
            .events()
            .mapAsync(1, event -> goOn.thenApply(done -> event))
            .map(
                event -> {
                  seen.add(event);
                  return event;
                })
            .runWith(Sink.ignore(), actors.system());
    for (int i = 0; i < 600; i++) {
      handoff.submitOrThrow(JobRequest.of("done"));
    }
    BoundedWaits.until(
        "all has happened",
        () ->
            BoundedWaits.get(
                        handoff.jobs(
                            JobFilter.ALL.status(JobStatus.SUCCEEDED),
                            java.util.Optional.empty(),
                            600))
                    .jobs()
                    .size()
                == 600);

    goOn.complete(null);

    assertThatThrownBy(() -> BoundedWaits.get(slow)).isInstanceOf(EventGapException.class);
  }

  @Test
  void ofOneJobEndsWithItsEnd() {
    var job = handoff.submitOrThrow(JobRequest.of("held"));
    var attempt = held.next();
    var names = new LinkedBlockingQueue<JobEvent>();
    var stream = job.events().runForeach(names::add, actors.system());
    BoundedWaits.until(
        "the stream is there",
        () -> {
          attempt.job().progress(Math.random(), "on");
          return !names.isEmpty();
        });
    BoundedWaits.get(handoff.submitOrThrow(JobRequest.of("done")).result());

    attempt.succeed(1);

    BoundedWaits.get(stream);
    var all = List.copyOf(names);
    assertThat(all).extracting(JobEvent::job).containsOnly(job.id());
    assertThat(all.getLast().name()).isEqualTo("succeeded");
    assertThat(all.getLast().isLast()).isTrue();
  }

  @Test
  void ofAJobThatHasEndedTellsItsEnd() {
    var failed = handoff.submitOrThrow(JobRequest.of("held").maxAttempts(1));
    held.next().fail("no");
    BoundedWaits.get(failed.result());
    var cancelled = handoff.submitOrThrow(JobRequest.of("held").delay(Duration.ofDays(1)));
    BoundedWaits.get(cancelled.cancel("not needed").ended());

    assertThat(BoundedWaits.get(failed.events().runWith(Sink.seq(), actors.system())))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.name()).isEqualTo("failed");
              assertThat(event.status()).isEqualTo(JobStatus.FAILED);
              assertThat(event.detail()).isEqualTo("failed: no");
            });
    assertThat(BoundedWaits.get(cancelled.events().runWith(Sink.seq(), actors.system())))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.name()).isEqualTo("cancelled");
              assertThat(event.detail()).isEqualTo("not needed");
            });
  }

  /// However a subscription and the end fall together.
  @Test
  void ofOneJobNeverMissesItsEnd() {
    var streams =
        Source.range(1, 300)
            .mapAsync(
                20,
                i -> {
                  var job = handoff.submitOrThrow(JobRequest.of("done"));
                  return job.events().runWith(Sink.last(), actors.system());
                })
            .runWith(Sink.seq(), actors.system());

    assertThat(BoundedWaits.get(streams)).hasSize(300).allMatch(JobEvent::isLast);
  }
}
