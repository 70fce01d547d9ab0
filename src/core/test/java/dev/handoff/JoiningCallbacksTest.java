package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.StoreDirectory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Runs the maximum number of concurrent callbacks, each of which waits for the engine.
@DisplayName("Callbacks that join answers of the engine")
class JoiningCallbacksTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final CountDownLatch underWay = new CountDownLatch(CallbackThreads.MOST);
  private final CountDownLatch answered = new CountDownLatch(CallbackThreads.MOST);
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff =
        Handoff.builder()
            .store(home.store())
            .handler("quick", Json.class, (payload, job) -> payload)
            .handler("stopped", Json.class, (payload, job) -> job.cancellation().await(LONG))
            .handler("parent", String.class, JoiningCallbacksTest::awaitChild)
            .handler("step", Json.class, (payload, job) -> record(job))
            .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private static Object awaitChild(String type, JobContext job) throws InterruptedException {
    var child = job.submit(JobRequest.of(type)).toCompletableFuture().join().orThrow();
    job.checkpoint("submitted").toCompletableFuture().join();
    return String.valueOf(job.await(child));
  }

  private static Object record(JobContext job) {
    var change = Change.create(job.id() + ".txt", "one\n");
    return job.changes().record(change).toCompletableFuture().join().orThrow();
  }

  private JobHandle submit(String type, Object payload) {
    return handoff.submitOrThrow(JobRequest.of(type, payload));
  }

  private PlanHandle submitPlan(String type) {
    return handoff.plans().submitOrThrow(PlanRequest.of("plan").step("only", JobRequest.of(type)));
  }

  /// Answers that start in a callback and are joined there.
  private List<Supplier<CompletionStage<?>>> answers() {
    return List.of(
        () -> submit("quick", "x").result(),
        () -> submit("quick", "x").ended(),
        () -> submit("quick", "x").status(),
        () -> submit("stopped", "x").cancel("enough").ended(),
        () -> submit("parent", "quick").result(),
        () -> cancelled(submit("parent", "stopped")),
        () -> submitPlan("step").result(),
        () -> submitPlan("step").ended(),
        () -> cancelled(submitPlan("stopped")),
        () -> recorded(submitPlan("stopped")),
        () -> handoff.submit(List.of(JobRequest.of("quick"), JobRequest.of("quick").key("one"))),
        () -> handoff.jobs(JobFilter.ALL, Optional.empty(), 10),
        () -> handoff.plans().list(Optional.empty(), 10),
        () -> handoff.queues().list(),
        () -> handoff.breakers().callBlocking("backend", () -> "done"),
        () -> handoff.health());
  }

  private static CompletionStage<CancelReport> cancelled(JobHandle job) {
    return job.cancel("enough").ended();
  }

  private static CompletionStage<PlanCancelReport> cancelled(PlanHandle plan) {
    return plan.cancel("enough").ended();
  }

  private static CompletionStage<PlanCancelReport> recorded(PlanHandle plan) {
    var opened = plan.startChangeset("by hand", "somebody").toCompletableFuture().join();
    var changeset = ((ChangesetAnswer.Done) opened).changeset();
    var change = Change.create("a.txt", "one\n");
    plan.record(changeset, change).toCompletableFuture().join().orThrow();
    plan.close(changeset).toCompletableFuture().join();
    plan.diff().toCompletableFuture().join();
    return cancelled(plan);
  }

  @Test
  void endAlthoughEachThreadOfCallbacksIsTakenByOne() {
    var answers = answers();
    var complete = handoff.health();
    var callbacks = new ArrayList<CompletableFuture<?>>();

    for (int i = 0; i < CallbackThreads.MOST; i++) {
      var answer = answers.get(i % answers.size());
      callbacks.add(complete.thenApply(health -> joined(answer)).toCompletableFuture());
    }

    assertThat(callbacks)
        .allSatisfy(callback -> assertThat(BoundedWaits.get(callback)).isNotNull());
  }

  /// Joins an answer. No callback returns its thread before all of them have their answers.
  private Object joined(Supplier<CompletionStage<?>> answer) {
    awaitAll(underWay, "are under way");
    var joined = BoundedWaits.get(answer.get());
    awaitAll(answered, "have their answer");
    return joined;
  }

  private static void awaitAll(CountDownLatch latch, String what) {
    latch.countDown();
    try {
      if (!latch.await(BoundedWaits.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("not all callbacks %s: %s".formatted(what, latch));
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
