package dev.handoff.internal.facade.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.Submission;
import dev.handoff.internal.dispatch.worker.FailingMessages;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanSubmission;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.ChildActors;
import dev.handoff.testing.EngineHooks;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StackClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An engine that outlives an Error of one of its actors")
class OutlivedErrorTest {

  private static final Duration IN_ORDER = Duration.ofSeconds(5);

  @TempDir Path directory;

  private final HeldHandler held = new HeldHandler();
  private final StackClock clock = new StackClock();
  private final BlockingQueue<String> reasons = new LinkedBlockingQueue<>();
  private ActorSystem<Void> host;
  private Handoff handoff;

  @AfterEach
  void stop() {
    if (host != null) {
      host.terminate();
    }
  }

  private HandoffBuilder builder(EnginePlace place) {
    host = place.startHost();
    var builder = host == null ? Handoff.builder() : Handoff.on(host);
    return builder
        .directory(directory)
        .partitions(1)
        .shutdownGrace(Duration.ofSeconds(1))
        .clock(clock)
        .handler("held", Json.class, held)
        .onDown(reasons::add);
  }

  private static <T> CompletableFuture<T> soon(CompletionStage<T> stage) {
    return stage.toCompletableFuture().copy().orTimeout(IN_ORDER.toSeconds(), TimeUnit.SECONDS);
  }

  /// The job's actor restarts from the durable state.
  @ParameterizedTest
  @EnumSource(EnginePlace.class)
  void livesOnAfterThatOfAJob(EnginePlace place) {
    handoff = builder(place).start();
    var job = handoff.submitOrThrow(JobRequest.of("held"));
    var result = job.result();
    var attempt = held.next();

    clock.strike("WriteAhead", new StackOverflowError("deep"));
    var answer = soon(job.cancel("enough").requested());

    // The error occurs at the first message: either the handler's start or the cancel.
    assertThat(answer.handle((done, failure) -> "answered")).succeedsWithin(IN_ORDER);
    assertThat(clock.hasStruck()).isTrue();
    attempt.succeed(null);
    assertThat(soon(result)).succeedsWithin(IN_ORDER);
    livesOn();
  }

  private void livesOn() {
    assertThat(soon(handoff.health()).join().ready()).isTrue();
    handoff.close();
    assertThat(reasons).isEmpty();
  }

  /// The plan's actor restarts as well.
  @ParameterizedTest
  @EnumSource(EnginePlace.class)
  void livesOnAfterThatOfAPlan(EnginePlace place) {
    handoff = builder(place).start();
    var plan =
        handoff.plans().submitOrThrow(PlanRequest.of("site").step("a", JobRequest.of("held")));
    var result = plan.result();
    var attempt = held.next();

    clock.strike("PlanWriteAhead", new StackOverflowError("deep"));
    attempt.succeed(null);

    assertThat(soon(result)).succeedsWithin(IN_ORDER);
    assertThat(clock.hasStruck()).isTrue();
    livesOn();
  }

  @Test
  void refusesAPlanWhoseActorFailsAtOnce() {
    handoff = builder(EnginePlace.OWN).start();
    var site = PlanRequest.of("site").step("a", JobRequest.of("held"));

    clock.strike("NewPlan", new StackOverflowError("deep"));
    var refused = soon(handoff.plans().submit(site)).join();

    assertThat(refused).isInstanceOf(PlanSubmission.Unavailable.class);
    handoff.plans().submitOrThrow(site);
    held.next().succeed(null);
    livesOn();
  }

  /// Another worker takes the place and runs the job; the failed worker's handler is told to stop.
  @ParameterizedTest
  @EnumSource(EnginePlace.class)
  void livesOnAfterThatOfAWorker(EnginePlace place) throws Exception {
    handoff = builder(place).workers(1).start();
    var result = handoff.submitOrThrow(JobRequest.of("held")).result();
    var attempt = held.next();

    ActorRef<Object> pool = ChildActors.named(EngineHooks.running(handoff).guardian(), "workers");
    ChildActors.named(pool, "worker-")
        .tell(FailingMessages.atWorker(new NoClassDefFoundError("gone")));

    assertThat(attempt.job().cancellation().await(IN_ORDER)).isTrue();
    held.next().succeed(null);
    assertThat(soon(result)).succeedsWithin(IN_ORDER);
    livesOn();
  }

  @Test
  void refusesAJobWhoseActorFailsAtOnce() {
    handoff = builder(EnginePlace.OWN).start();

    clock.strike("Job", new StackOverflowError("deep"));
    var refused = soon(handoff.submit(JobRequest.of("held").key("k"))).join();

    assertThat(refused).isInstanceOf(Submission.Unavailable.class);
    var again = submitUntilItsKeyIsFree();
    assertThat(again).isInstanceOf(Submission.Accepted.class);
    held.next().succeed(null);
    handoff.close();
  }

  /// After the failure, the partition first asks its ledger whether the job has the key after all.
  private Submission submitUntilItsKeyIsFree() {
    var answers = new ArrayDeque<Submission>();
    BoundedWaits.until(
        "an answer that is not Unavailable",
        () -> {
          answers.add(soon(handoff.submit(JobRequest.of("held").key("k"))).join());
          return !(answers.getLast() instanceof Submission.Unavailable);
        });
    return answers.getLast();
  }
}
