package dev.handoff.internal.facade.plan;

import static dev.handoff.plan.PlanRequest.after;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Backoff;
import dev.handoff.CancelHandle.CancelRequestAnswer;
import dev.handoff.Handoff;
import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.UnavailableException;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.internal.text.Ulid;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanNotFoundException;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRefusedException;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanRetryAnswer;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.PlanSubmission;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.TestPlan;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A plan")
class PlanHandleTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();
  private HeldStore store;
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .around(inner -> store = new HeldStore(inner))
            .cancelling(Duration.ofMillis(10), Duration.ofMillis(300))
            .shutdownGrace(Duration.ZERO)
            .set("ledger.retry-after", Duration.ofMillis(10))
            .handler("held", Json.class, held)
            .handler("noop", Json.class, (payload, job) -> null)
            .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private static JobRequest held() {
    return JobRequest.of("held").maxAttempts(1);
  }

  private static JobRequest noop() {
    return JobRequest.of("noop");
  }

  private PlanHandle submit(PlanRequest request) {
    return handoff.plans().submitOrThrow(request);
  }

  private static PlanId unknown() {
    return new PlanId(new Ulid(new Random()).next(0, 1));
  }

  private PlanInfo info(PlanHandle plan) {
    return BoundedWaits.get(plan.info()).orElseThrow();
  }

  private PlanInfo.Step step(PlanHandle plan, String name) {
    return info(plan).steps().stream()
        .filter(step -> step.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whoseStepsSucceedSucceeds() {
    var plan =
        submit(
            PlanRequest.of("site")
                .step("a", noop())
                .plan("more", PlanRequest.of("more").step("b", noop()), after("a"))
                .step("c", noop(), after("a", "more")));

    assertThat(BoundedWaits.get(plan.result())).isEqualTo(new PlanOutcome.Succeeded(plan.id()));

    var info = BoundedWaits.get(plan.ended());
    assertThat(info.status()).isEqualTo(PlanStatus.SUCCEEDED);
    assertThat(info.name()).isEqualTo("site");
    assertThat(info.size()).isEqualTo(3);
    assertThat(info.done()).isEqualTo(3);
    assertThat(info.reason()).isEmpty();
    assertThat(info.finishedAt().orElseThrow()).isAfterOrEqualTo(info.startedAt().orElseThrow());
    assertThat(info.steps()).extracting(PlanInfo.Step::status).containsOnly("succeeded");
    assertThat(plan).hasToString(plan.id().value());
  }

  @Test
  void showsItsStepsWhileTheyRun() {
    var plan =
        submit(
            PlanRequest.of("site")
                .step("a", held())
                .step("b", noop(), after("a"))
                .plan("c", PlanRequest.of("inner").step("d", held()))
                .plan("e", PlanRequest.of("later").step("f", noop()), after("b")));
    var first = held.next();
    var second = held.next();
    first.job().progress(0.5, "half");

    assertThat(info(plan).status()).isEqualTo(PlanStatus.RUNNING);
    assertThat(step(plan, "a").status()).isEqualTo("running");
    assertThat(step(plan, "a").info().orElseThrow().attempt()).isEqualTo(1);
    assertThat(step(plan, "b").status()).isEqualTo("waiting");
    assertThat(step(plan, "c").status()).isEqualTo("running");
    var later = step(plan, "e").plan().orElseThrow();
    assertThat(later.status()).isEqualTo(PlanStatus.WAITING);
    assertThat(later.reason()).isEmpty();
    assertThatThrownBy(() -> PlanOutcomes.of(new TestPlan(handoff, later.id()).state()))
        .hasMessageContaining("has not ended");
    assertThat(info(plan).finishedAt()).isEmpty();
    first.succeed(1);
    second.succeed(1);
    assertThat(BoundedWaits.get(plan.result())).isInstanceOf(PlanOutcome.Succeeded.class);
  }

  @Test
  void whoseStepFailsReportsItAndCanBeRetried() {
    var plan =
        submit(
            PlanRequest.of("site")
                .step("good", noop())
                .step("bad", held())
                .step("after", noop(), after("bad")));
    held.next().fail("no paper");

    assertThat(BoundedWaits.get(plan.result()))
        .isInstanceOfSatisfying(
            PlanOutcome.Failed.class,
            failed -> {
              assertThat(failed.failures()).containsOnlyKeys("bad");
              assertThat(failed.reason()).contains("bad", "no paper");
            });
    var ended = BoundedWaits.get(plan.ended());
    assertThat(ended.reason().orElseThrow()).contains("no paper");
    assertThat(ended.steps().get(2).status()).isEqualTo("cancelled");
    assertThat(ended.steps().get(2).reason().orElseThrow()).contains("bad");

    assertThat(BoundedWaits.get(plan.retry("me"))).isEqualTo(new PlanRetryAnswer.Reopened(plan));
    held.next().succeed(1);
    assertThat(BoundedWaits.get(plan.result())).isInstanceOf(PlanOutcome.Succeeded.class);
    assertThat(step(plan, "bad").info().orElseThrow().attempt()).isEqualTo(2);
    assertThat(step(plan, "good").info().orElseThrow().attempt()).isEqualTo(1);
    assertThat(BoundedWaits.get(plan.retry("me")))
        .isEqualTo(new PlanRetryAnswer.NotPossible(plan.id(), "it has succeeded"));
  }

  @Test
  void thatIsCancelledTellsWhatBecameOfItsSteps() {
    var plan =
        submit(
            PlanRequest.of("site")
                .maxParallel(10)
                .step("done", noop())
                .step("bad", JobRequest.of("held", "bad").maxAttempts(1))
                .step("long", JobRequest.of("held", "long"))
                .plan(
                    "inner",
                    PlanRequest.of("inner")
                        .step("deep", JobRequest.of("held", "deep"))
                        .step("never", noop(), after("deep"))));
    for (int i = 0; i < 3; i++) {
      var attempt = held.next();
      if (attempt.payload().toString().contains("bad")) {
        attempt.fail("broken");
      }
    }
    BoundedWaits.until(
        "two have ended",
        () ->
            step(plan, "done").status().equals("succeeded")
                && step(plan, "bad").status().equals("failed"));

    var cancelling = plan.cancel("not needed", "me");

    assertThat(BoundedWaits.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.REQUESTED);
    assertThat(info(plan).reason()).contains("not needed");
    assertThat(info(plan).toJson()).contains("\"reason\":\"not needed\",\"by\":\"me\"");
    assertThat(BoundedWaits.get(cancelling.ended()))
        .isEqualTo(
            new PlanCancelReport.Cancelled(
                plan.id(),
                "not needed",
                List.of("long", "inner/deep"),
                List.of("done"),
                List.of("bad"),
                List.of("inner/never"),
                List.of(),
                List.of()));
    assertThat(BoundedWaits.get(plan.result()))
        .isEqualTo(new PlanOutcome.Cancelled(plan.id(), "not needed", "me"));
    var again = plan.cancel("again");
    assertThat(BoundedWaits.get(again.requested())).isEqualTo(CancelRequestAnswer.ALREADY_FINISHED);
    assertThat(BoundedWaits.get(again.ended()))
        .isEqualTo(new PlanCancelReport.Already(plan.id(), PlanStatus.CANCELLED));
    assertThat(BoundedWaits.get(plan.retry("me"))).isInstanceOf(PlanRetryAnswer.Reopened.class);
    assertThat(BoundedWaits.get(plan.retry("me")))
        .isInstanceOfSatisfying(
            PlanRetryAnswer.NotPossible.class, not -> assertThat(not.reason()).contains("running"));
    assertThat(BoundedWaits.get(plan.cancel("enough").ended()))
        .isInstanceOfSatisfying(
            PlanCancelReport.Cancelled.class,
            report -> assertThat(report.neverRan()).containsExactly("inner/never"));
  }

  /// A dropped step has ended. After a retry of its plan it must end again, although no fact of its
  /// own says so.
  @Test
  void thatFailsAgainAfterARetryEndsAgain() {
    var plan =
        submit(
            PlanRequest.of("site")
                .step("bad", held())
                .step("after", noop(), after("bad"))
                .plan("inner", PlanRequest.of("inner").step("deep", noop()), after("bad")));
    held.next().fail("no paper");
    BoundedWaits.get(plan.result());

    BoundedWaits.get(plan.retry("me"));
    held.next().fail("still no paper");

    assertThat(BoundedWaits.get(plan.result()))
        .isInstanceOfSatisfying(
            PlanOutcome.Failed.class,
            failed -> assertThat(failed.reason()).contains("still no paper"));
    assertThat(step(plan, "after").reason().orElseThrow()).contains("step bad before it failed");
    assertThat(step(plan, "inner").status()).isEqualTo("cancelled");
  }

  @Test
  void thatIsCancelledAfterARetryStopsOnlyWhatRuns() {
    var plan =
        submit(
            PlanRequest.of("site")
                .maxParallel(1)
                .step("first", JobRequest.of("held").maxAttempts(1))
                .step("second", JobRequest.of("held").maxAttempts(1)));
    held.next().fail("no paper");
    held.next().fail("no ink");
    BoundedWaits.get(plan.result());
    BoundedWaits.get(plan.retry("me"));
    held.next();

    var report = (PlanCancelReport.Cancelled) BoundedWaits.get(plan.cancel("enough").ended());

    assertThat(report.stopped()).containsExactly("first");
    assertThat(report.failed()).containsExactly("second");
    assertThat(step(plan, "second").reason()).contains("enough");
  }

  @Test
  void whoseStepDoesNotStopSaysThatItWasAbandoned() {
    var end = new java.util.concurrent.CountDownLatch(1);
    handoff.close();
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .cancelling(Duration.ofMillis(10), Duration.ofMillis(100))
            .shutdownGrace(Duration.ZERO)
            .handler("deaf", Json.class, (payload, job) -> deaf(end, job))
            .start();
    var plan = submit(PlanRequest.of("site").step("a", JobRequest.of("deaf")));
    BoundedWaits.until("it runs", () -> step(plan, "a").status().equals("running"));

    var report = BoundedWaits.get(plan.cancel("now").ended());

    assertThat(((PlanCancelReport.Cancelled) report).abandoned()).containsExactly("a");
    end.countDown();
  }

  private static Object deaf(java.util.concurrent.CountDownLatch end, JobContext job) {
    while (true) {
      try {
        end.await();
        return "late";
      } catch (InterruptedException deaf) {
        Thread.interrupted();
      }
    }
  }

  @Test
  void thatIsTooSlowForACancelHadEnded() {
    var plan = submit(PlanRequest.of("site").step("a", noop()));
    BoundedWaits.get(plan.result());

    assertThat(BoundedWaits.get(plan.cancel("late").ended()))
        .isEqualTo(new PlanCancelReport.Already(plan.id(), PlanStatus.SUCCEEDED));
  }

  @Test
  void thatNeverWasIsNotFound() {
    var plan = handoff.plans().plan(unknown());

    assertThat(BoundedWaits.get(plan.info())).isEmpty();
    assertThatThrownBy(() -> BoundedWaits.get(plan.result()))
        .isInstanceOf(PlanNotFoundException.class)
        .hasMessageContaining(plan.id().value());
    var cancelling = plan.cancel("why not");
    assertThat(BoundedWaits.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.NOT_FOUND);
    assertThat(BoundedWaits.get(cancelling.ended()))
        .isEqualTo(new PlanCancelReport.NotFound(plan.id()));
    assertThat(BoundedWaits.get(plan.retry("me")))
        .isEqualTo(new PlanRetryAnswer.NotFound(plan.id()));
  }

  @Test
  void isRefusedWithEverythingThatIsWrong() {
    var request =
        PlanRequest.of("a b")
            .maxParallel(51)
            .deadline(Duration.ZERO)
            .step("a", noop().queue("a/b"), after("x"))
            .step("a", noop())
            .step("k1", noop().key("k"))
            .step("k2", noop().key("k"))
            .plan("c", PlanRequest.of("c").step("d", noop().maxAttempts(0)));

    var answer = BoundedWaits.get(handoff.plans().submit(request));

    assertThat(((PlanSubmission.Invalid) answer).problems())
        .anySatisfy(problem -> assertThat(problem).contains("plan:", "a b"))
        .anySatisfy(problem -> assertThat(problem).contains("maxParallel", "51"))
        .anySatisfy(problem -> assertThat(problem).contains("deadline"))
        .anySatisfy(problem -> assertThat(problem).contains("step a:", "queue"))
        .anySatisfy(problem -> assertThat(problem).contains("\"a\" is there twice"))
        .anySatisfy(problem -> assertThat(problem).contains("step k2:", "step k1"))
        .anySatisfy(problem -> assertThat(problem).contains("step c/d:", "maxAttempts"));
    assertThatThrownBy(() -> submit(request))
        .isInstanceOfSatisfying(
            PlanRefusedException.class,
            refused -> assertThat(refused.submission()).isEqualTo(answer));
  }

  @Test
  void whoseStepsNobodyCanRunIsRefused() {
    var request =
        PlanRequest.of("p")
            .step("a", JobRequest.of("render"))
            .plan("c", PlanRequest.of("c").step("d", JobRequest.of("print")));

    assertThat(BoundedWaits.get(handoff.plans().submit(request)))
        .isInstanceOfSatisfying(
            PlanSubmission.UnknownType.class,
            unknown -> {
              assertThat(unknown.types()).containsExactly("print", "render");
              assertThat(unknown.known()).contains("held", "noop");
            });
    assertThatThrownBy(() -> submit(request)).hasMessageContaining("print, render");
  }

  @Test
  void thatIsTooLargeOrTooDeepIsRefused() {
    var wide = PlanRequest.of("wide");
    for (int i = 0; i < 101; i++) {
      wide = wide.step("s" + i, noop());
    }
    var square = PlanRequest.of("square");
    for (int i = 0; i < 100; i++) {
      square = square.plan("p" + i, wide);
    }
    var deep = PlanRequest.of("deep").step("a", noop());
    for (int i = 0; i < 20_000; i++) {
      deep = PlanRequest.of("deep").plan("a", deep);
    }

    assertThat(BoundedWaits.get(handoff.plans().submit(square)))
        .isInstanceOfSatisfying(
            PlanSubmission.Invalid.class,
            wrong -> assertThat(wrong.problems().getFirst()).contains("10,000 steps"));
    assertThat(BoundedWaits.get(handoff.plans().submit(deep)))
        .isInstanceOfSatisfying(
            PlanSubmission.Invalid.class,
            wrong -> assertThat(wrong.problems().getFirst()).contains("100 levels"));
  }

  @Test
  void isStillThereAfterARestart() {
    var plan =
        submit(PlanRequest.of("site").step("a", held().maxAttempts(3).backoff(Backoff.none())));
    held.next();
    handoff.close();

    start();

    var same = handoff.plans().plan(plan.id());
    held.next().succeed(1);
    assertThat(BoundedWaits.get(same.result())).isEqualTo(new PlanOutcome.Succeeded(plan.id()));
    assertThat(step(same, "a").info().orElseThrow().status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void cannotBeAskedOnceTheEngineHasEnded() {
    var plan = submit(PlanRequest.of("site").step("a", noop()));
    handoff.close();

    assertThat(BoundedWaits.get(handoff.plans().submit(PlanRequest.of("b").step("a", noop()))))
        .isInstanceOf(PlanSubmission.Unavailable.class);
    assertThatThrownBy(() -> BoundedWaits.get(plan.info()))
        .isInstanceOf(UnavailableException.class);
    assertThatThrownBy(() -> BoundedWaits.get(plan.result()))
        .isInstanceOf(UnavailableException.class);
    assertThat(BoundedWaits.get(plan.retry("me"))).isInstanceOf(PlanRetryAnswer.Unavailable.class);
    start();
  }

  @Test
  void tellsItselfAsJson() throws Exception {
    var plan =
        submit(
            PlanRequest.of("site")
                .deadline(Duration.ofHours(1))
                .step("a", noop())
                .plan("b", PlanRequest.of("inner").step("c", held()), after("a")));
    held.next().fail("broken");
    var ended = BoundedWaits.get(plan.ended());

    var json = new com.fasterxml.jackson.databind.ObjectMapper().readTree(ended.toJson());

    assertThat(json.get("id").asText()).isEqualTo(plan.id().value());
    assertThat(json.get("status").asText()).isEqualTo("failed");
    assertThat(json.get("deadline").asText()).isEqualTo("PT1H");
    assertThat(json.get("finishedAt").asText())
        .isEqualTo(ended.finishedAt().orElseThrow().toString());
    var step = json.get("steps").get(1);
    assertThat(step.get("after").get(0).asText()).isEqualTo("a");
    assertThat(step.get("plan").get("parent").asText()).isEqualTo(plan.id().value());
    assertThat(step.get("plan").get("steps").get(0).get("reason").asText()).contains("broken");
    assertThat(json.get("steps").get(0).get("attempt").asInt()).isEqualTo(1);
    assertThat(json.get("cancel").isNull()).isTrue();
  }
}
