package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancelledException;
import dev.handoff.job.AttemptReport;
import dev.handoff.job.Contribution;
import dev.handoff.job.JobError;
import dev.handoff.job.JobSpec;
import dev.handoff.job.Json;
import dev.handoff.job.Notes;
import dev.handoff.job.Progress;
import dev.handoff.job.WorkerOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

@DisplayName("The handler of an attempt")
class HandlersTest {

  private static final int RUN = 5;
  private static final Cancellation WHY =
      new Cancellation(Cancellation.Cause.REQUESTED, "enough", "ann");

  private final Desk desk = new Desk();
  private final TestInbox<Worker.Command> worker = TestInbox.create();
  private final TestInbox<ProgressSeen> progress = TestInbox.create();
  private final Map<String, AttemptCode> code = new HashMap<>();
  private long nanos = 7_000_000_000L;

  private final Machine machine =
      new Machine() {
        @Override
        public Thread start(boolean blocking, String name, Runnable body) {
          return Machine.REAL.start(blocking, name, body);
        }

        @Override
        public long nanoTime() {
          return nanos;
        }
      };

  private Worker.Environment environment() {
    return new Worker.Environment(null, code, null, null, progress.getRef(), null, machine);
  }

  private Attempt attempt(JobSpec spec, Json checkpoint) {
    var order = new WorkerOrder.Run(7, Desk.id(1), 3, spec, checkpoint, desk.ref(1));
    return new Attempt(order, environment(), worker.getRef());
  }

  private Attempt attempt() {
    return attempt(JobSpec.of("t", Json.NULL), null);
  }

  private AttemptReport run(AttemptCode.Body body) {
    return run(new AttemptCode(false, body));
  }

  private AttemptReport run(AttemptCode body) {
    code.put("t", body);
    return run(attempt());
  }

  private AttemptReport run(Attempt attempt) {
    Handlers.call(RUN, attempt, environment(), worker.getRef()).run();
    var told = worker.getAllReceived();
    assertThat(told).hasSize(2).first().isEqualTo(new Worker.HandlerBegan(RUN));
    var ended = (Worker.HandlerEnded) told.getLast();
    assertThat(ended.run()).isEqualTo(RUN);
    return ended.report();
  }

  private static String type(AttemptReport report) {
    return ((AttemptReport.Threw) report).error().type();
  }

  @AfterEach
  void clear() {
    MDC.clear();
  }

  @Test
  void returnsAResultAndWhatItLeavesInItsPlan() {
    var made = new Contribution("b".repeat(64), 1, 0);

    assertThat(run(attempt -> Json.of("7"))).isEqualTo(new AttemptReport.Returned(Json.of("7")));
    assertThat(
            run(
                attempt -> {
                  attempt.contribute(made);
                  return Json.of("7");
                }))
        .isEqualTo(new AttemptReport.Returned(Json.of("7"), made));
  }

  @Test
  void wantsToBeCalledAgainLater() {
    assertThat(
            run(
                attempt -> {
                  attempt.later(Duration.ofSeconds(5));
                  return Json.of("7");
                }))
        .isEqualTo(new AttemptReport.Later(Duration.ofSeconds(5)));
  }

  @Test
  void returnsAResultOfSomeSizeAtMost() {
    var most = Json.of("x".repeat(256 * 1024));

    assertThat(run(attempt -> most)).isEqualTo(new AttemptReport.Returned(most));
    assertThat(type(run(attempt -> Json.of(most + "x")))).isEqualTo("result-too-large");
  }

  private AttemptReport fails(AttemptCode.Retries retries) {
    return run(
        new AttemptCode(
            false,
            attempt -> {
              throw new IOException("no");
            },
            retries));
  }

  @Test
  void failsWithWhatItThrows() {
    for (boolean again : new boolean[] {true, false}) {
      var report = (AttemptReport.Threw) fails((failure, spec) -> again ? null : "for good");
      assertThat(report.error().type()).isEqualTo("java.io.IOException");
      assertThat(report.forGood()).isEqualTo(!again);
    }
    var broken =
        (AttemptReport.Threw)
            fails(
                (failure, spec) -> {
                  throw new IllegalStateException("broken");
                });
    assertThat(broken.forGood()).isFalse();
    assertThat(((AttemptReport.Threw) Handlers.failure(new IOException("no"))).forGood()).isFalse();
  }

  @Test
  void failsIfThereIsNone() {
    var report = (AttemptReport.Threw) run(attempt());

    assertThat(report)
        .isEqualTo(new AttemptReport.Threw(JobError.of("no-handler", "no handler for type \"t\"")));
  }

  @Test
  void sendsASignOfLifeWhenItBegins() {
    var attempt = attempt();
    nanos += 50;
    assertThat(attempt.silence()).hasNanos(50);

    run(attempt);

    assertThat(attempt.silence()).isZero();
  }

  @Test
  void isOnAThreadThatIsNamedAfterTheAttempt() throws InterruptedException {
    for (boolean blocking : new boolean[] {true, false}) {
      code.put("t", new AttemptCode(blocking, attempt -> Json.NULL));
      var call = new HandlerCall(() -> {});

      var thread = Handlers.start(call, attempt(), environment());
      thread.join();

      assertThat(thread.getName()).isEqualTo("handoff-" + Desk.id(1) + "-3");
      assertThat(thread.isVirtual()).isEqualTo(!blocking);
    }
    code.clear();
    assertThat(Handlers.start(new HandlerCall(() -> {}), attempt(), environment()).isVirtual())
        .isTrue();
  }

  @Test
  void logsWithWhatItIs() {
    var seen = new HashMap<String, String>();
    code.put(
        "t",
        new AttemptCode(
            false,
            attempt -> {
              seen.putAll(MDC.getCopyOfContextMap());
              return Json.NULL;
            }));
    run(attempt());
    assertThat(seen)
        .isEqualTo(
            Map.of("handoff.job", Desk.id(1).value(), "handoff.attempt", "3", "handoff.type", "t"));
    run(attempt(JobSpec.of("t", Json.NULL).stepOf("plan-1", "a"), null));
    assertThat(seen).containsEntry("handoff.plan", "plan-1");
  }

  @Test
  void readsWhatAnEarlierAttemptHasKept() {
    assertThat(attempt().lastCheckpoint()).isEmpty();
    assertThat(attempt(JobSpec.of("t", Json.NULL), Json.of("7")).lastCheckpoint())
        .hasValue(Json.of("7"));
    assertThat(attempt().later()).isEmpty();
    assertThat(attempt().contribution()).isNull();
    assertThat(attempt().job()).isEqualTo(Desk.id(1));
    assertThat(attempt().number()).isEqualTo(3);
    assertThat(attempt().cancellation().isCancelled()).isFalse();
  }

  @Test
  void saysHowFarItIsTenTimesASecondAtMost() {
    var attempt = attempt();
    var half = new Progress(0.5, "half");
    nanos += 500;
    attempt.progress(half);
    assertThat(attempt.silence()).isZero();
    attempt.progress(half);
    nanos += Duration.ofMillis(100).toNanos() - 1;
    attempt.progress(half);
    assertThat(progress.getAllReceived())
        .containsExactly(new ProgressSeen(Desk.id(1), 3, "t", "default", half));
    nanos += 1;
    attempt.progress(half);

    assertThat(progress.getAllReceived()).hasSize(1);
    assertThat(attempt.notes()).isEqualTo(new Notes(List.of(), half));
  }

  @Test
  void saysWhatItLogsOnce() {
    var attempt = attempt();
    assertThat(attempt.notes()).isSameAs(Notes.NONE);
    nanos += 50;
    attempt.log("one");
    assertThat(attempt.silence()).isZero();

    assertThat(attempt.notes()).isEqualTo(new Notes(List.of("one"), null));
    assertThat(attempt.notes()).isSameAs(Notes.NONE);
    nanos += 50;
    attempt.later(Duration.ZERO);
    assertThat(attempt.silence()).isZero();
  }

  @Test
  void waitsForAValueUntilItHasIt() throws InterruptedException {
    var waits = new Waits(new CancellationSource().token());

    assertThat(waits.await(CompletableFuture.completedFuture(7))).isEqualTo(7);
    assertThatThrownBy(
            () -> waits.await(CompletableFuture.failedFuture(new IllegalArgumentException("a"))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> waits.await(CompletableFuture.failedFuture(new IOException("b"))))
        .isInstanceOf(IllegalStateException.class)
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void waitsForNothingWhenItIsCancelled() {
    var source = new CancellationSource();
    var waits = new Waits(source.token());
    source.cancel(WHY);

    assertThatThrownBy(() -> waits.await(new CompletableFuture<>()))
        .isInstanceOf(CancelledException.class);
  }

  @Test
  void waitsForNothingWhenItIsOver() {
    var waits = new Waits(new CancellationSource().token());
    waits.close();

    assertThatThrownBy(() -> waits.await(new CompletableFuture<>()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the handler has ended");
  }
}
