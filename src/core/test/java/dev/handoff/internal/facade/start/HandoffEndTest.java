package dev.handoff.internal.facade.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.Health;
import dev.handoff.JobFilter;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.RetryAnswer;
import dev.handoff.Submission;
import dev.handoff.UnavailableException;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.stream.javadsl.Sink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("An engine that is closed")
class HandoffEndTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();

  @AfterEach
  void cleanUp() {
    home.close();
  }

  private Handoff start() {
    return builder().start();
  }

  private HandoffBuilder builder() {
    return Handoff.on(actors.system())
        .store(home.store())
        .handler("held", Json.class, held)
        .shutdownGrace(Duration.ofMillis(50))
        .cancelling(Duration.ofMillis(50), Duration.ofSeconds(10));
  }

  @Test
  void isClosedOnceByWhoeverComesFirst() {
    var handoff = start();
    var closers = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < 8; i++) {
      closers.add(CompletableFuture.runAsync(handoff::close, Thread::startVirtualThread));
    }

    closers.forEach(BoundedWaits::get);
    handoff.close();

    assertThat(BoundedWaits.get(handoff.health()).ready()).isFalse();
  }

  @Test
  void answersEverythingAtOnce() {
    var handoff = start();
    var job = handoff.submitOrThrow(JobRequest.of("held"));
    held.next();
    var result = job.result();
    handoff.close();

    assertThat(BoundedWaits.get(handoff.submit(JobRequest.of("held"))))
        .isInstanceOfSatisfying(
            Submission.Unavailable.class,
            answer -> assertThat(answer.reason()).isEqualTo("the engine is closed"));
    assertThat(BoundedWaits.get(handoff.retry(job.id(), "me")))
        .isInstanceOf(RetryAnswer.Unavailable.class);
    assertThat(BoundedWaits.get(handoff.health()))
        .isEqualTo(new Health(false, List.of("the engine is closed"), 0, 0, 0));
    assertUnavailable(result);
    assertUnavailable(job.result());
    assertUnavailable(job.status());
    assertUnavailable(job.cancel("late").requested());
    assertUnavailable(job.cancel("late").ended());
    assertUnavailable(handoff.jobs(JobFilter.ALL, Optional.empty(), 10));
    assertUnavailable(handoff.queues().list());
    assertUnavailable(handoff.queues().limit("q", OptionalInt.of(1)));
    assertThat(BoundedWaits.get(handoff.events().runWith(Sink.seq(), actors.system()))).isEmpty();
    assertThat(BoundedWaits.get(job.events().runWith(Sink.seq(), actors.system()))).isEmpty();
  }

  private static void assertUnavailable(CompletionStage<?> stage) {
    assertThatThrownBy(() -> BoundedWaits.get(stage))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("the engine is closed");
  }

  @Test
  void hasTakenNothingThatItForgets() {
    var handoff = start();
    var stop = new AtomicBoolean();
    var accepted = new ConcurrentLinkedQueue<JobId>();
    var submitters = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < 4; i++) {
      submitters.add(
          CompletableFuture.runAsync(
              () -> submitUntil(stop, handoff, accepted), Thread::startVirtualThread));
    }
    BoundedWaits.until("much is accepted", () -> accepted.size() > 500);

    handoff.close();
    stop.set(true);
    submitters.forEach(BoundedWaits::get);

    try (var next = start()) {
      assertThat(accepted)
          .allSatisfy(id -> assertThat(BoundedWaits.get(next.job(id))).as("%s", id).isPresent());
    }
  }

  private static void submitUntil(
      AtomicBoolean stop, Handoff handoff, ConcurrentLinkedQueue<JobId> accepted) {
    var later = JobRequest.of("held").delay(Duration.ofDays(1));
    while (!stop.get()) {
      if (BoundedWaits.get(handoff.submit(later)) instanceof Submission.Accepted(var handle)) {
        accepted.add(handle.id());
      }
    }
  }

  @Test
  void givesWhatRanToTheNextStartWithoutCostingItAnAttempt() {
    JobId id;
    try (var handoff = start()) {
      id = handoff.submitOrThrow(JobRequest.of("held").maxAttempts(2)).id();
      held.next();
    }

    try (var next = start()) {
      var again = held.next();
      again.succeed(1);

      var job = BoundedWaits.get(next.handle(id).ended());
      assertThat(again.job().attempt()).isEqualTo(2);
      assertThat(job.starts()).isEqualTo(1);
      assertThat(job.attempts().getFirst().outcome()).isEqualTo(JobInfo.AttemptOutcome.SHUTDOWN);
    }
  }

  @Test
  void endsAnAttemptThatMayOnlyBeStartedOnce() {
    JobId id;
    try (var handoff = start()) {
      id = handoff.submitOrThrow(JobRequest.of("held").maxAttempts(1)).id();
      held.next();
    }

    try (var next = start()) {
      assertThat(BoundedWaits.get(next.handle(id).result()))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.error().type()).isEqualTo("shutdown"));
    }
  }

  @Test
  void letsAnAttemptThatHasEndedBeforeItsGraceCount() {
    var handoff = builder().shutdownGrace(Duration.ofMinutes(1)).start();
    var id = handoff.submitOrThrow(JobRequest.of("held")).id();
    var attempt = held.next();
    var closing = CompletableFuture.runAsync(handoff::close, Thread::startVirtualThread);
    BoundedWaits.until("it closes", () -> !BoundedWaits.get(handoff.health()).ready());

    attempt.succeed("done");
    BoundedWaits.get(closing);

    try (var next = start()) {
      assertThat(BoundedWaits.get(next.handle(id).result()))
          .isEqualTo(new Outcome.Succeeded(Json.of("\"done\"")));
    }
  }

  @Test
  void stopsAParentThatWaitsForItsChild() {
    JobId id;
    try (var handoff =
        builder()
            .workers(1)
            .handler(
                "parent",
                Json.class,
                (payload, job) -> {
                  var child =
                      BoundedWaits.get(job.submit(JobRequest.of("held").key("child"))).orThrow();
                  return job.await(child).toString();
                })
            .start()) {
      id = handoff.submitOrThrow(JobRequest.of("parent")).id();
      held.next();
    }

    try (var next = start()) {
      var job = BoundedWaits.get(next.job(id)).orElseThrow();
      assertThat(job.status()).isEqualTo(JobStatus.QUEUED);
      assertThat(job.children()).hasSize(1);
      held.next().succeed(1);
    }
  }

  @Test
  void doesNotWaitForCodeThatDoesNotStop() {
    var release = new CompletableFuture<Void>();
    var running = new CompletableFuture<Void>();
    JobId id;
    try (var handoff =
        builder()
            .cancelling(Duration.ofMillis(50), Duration.ofMillis(200))
            .handler(
                "deaf",
                Json.class,
                (payload, job) -> {
                  running.complete(null);
                  while (!release.isDone()) {
                    Thread.onSpinWait();
                  }
                  return null;
                })
            .start()) {
      id = handoff.submitOrThrow(JobRequest.of("deaf")).id();
      BoundedWaits.get(running);
    } finally {
      release.complete(null);
    }

    try (var next = start()) {
      BoundedWaits.until("its attempt is known to be over", () -> !attempts(next, id).isEmpty());
      assertThat(attempts(next, id).getFirst().abandoned()).isTrue();
    }
  }

  private static List<JobInfo.Attempt> attempts(Handoff handoff, JobId id) {
    return BoundedWaits.get(handoff.job(id)).orElseThrow().attempts();
  }

  @Test
  void leavesNothingOnItsHost() {
    var first = start();
    var second =
        Handoff.on(actors.system())
            .store(StoreDirectory.of(StoreDirectory.Kind.MEMORY).store())
            .handler("t", Json.class, (payload, job) -> payload)
            .start();
    assertThat(second.submitOrThrow(JobRequest.of("t")).result())
        .satisfies(
            result -> assertThat(BoundedWaits.get(result)).isInstanceOf(Outcome.Succeeded.class));
    assertThat(isThereAnEngine()).isTrue();

    first.close();
    second.close();

    BoundedWaits.until("every engine is gone", () -> !isThereAnEngine());
    assertThat(actors.system().getWhenTerminated().toCompletableFuture()).isNotDone();
  }

  private static boolean isThereAnEngine() {
    var selection = Adapter.toClassic(actors.system()).actorSelection("/system/handoff-*");
    var answer = BoundedWaits.get(Patterns.ask(selection, new Identify(1), Duration.ofSeconds(10)));
    return ((ActorIdentity) answer).getActorRef().isPresent();
  }

  @Test
  void completesTheStreamsOfItsEvents() {
    var own =
        Handoff.builder()
            .store(StoreDirectory.of(StoreDirectory.Kind.MEMORY).store())
            .handler("t", Json.class, (payload, job) -> payload)
            .start();
    var here = own.events().runWith(Sink.seq(), own.materializer());
    var elsewhere = own.events().runWith(Sink.seq(), actors.system());
    var resumed = own.eventsAfter(0);
    BoundedWaits.get(own.submitOrThrow(JobRequest.of("t")).result());

    own.close();

    assertThat(BoundedWaits.get(here)).isNotNull();
    assertThat(BoundedWaits.get(elsewhere)).isNotNull();
    assertThat(BoundedWaits.get(resumed.runWith(Sink.seq(), actors.system()))).isEmpty();
  }

  @Test
  void whoseSystemHasEndedBeforeIsClosedAllTheSame() {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "host");
    var reasons = new ConcurrentLinkedQueue<String>();
    var handoff =
        Handoff.on(system)
            .store(home.store())
            .handler("held", Json.class, held)
            .onDown(reasons::add)
            .start();
    var job = handoff.submitOrThrow(JobRequest.of("held"));
    held.next();
    var result = job.result();

    system.terminate();

    assertThatThrownBy(() -> BoundedWaits.get(result))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("its actor system has ended");
    BoundedWaits.until("the listener is told", () -> !reasons.isEmpty());
    assertThat(BoundedWaits.get(handoff.submit(JobRequest.of("held"))))
        .isInstanceOf(Submission.Unavailable.class);
    handoff.close();
    assertThat(reasons).containsExactly("its actor system has ended");

    try (var next = start()) {
      held.next().succeed(1);
      assertThat(BoundedWaits.get(next.handle(job.id()).result()))
          .isInstanceOf(Outcome.Succeeded.class);
    }
  }
}
