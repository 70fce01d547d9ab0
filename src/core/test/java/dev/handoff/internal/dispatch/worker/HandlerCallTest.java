package dev.handoff.internal.dispatch.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.JobError;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.dispatch.LoneDispatcher;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.Progress;
import dev.handoff.internal.job.StepContribution;
import dev.handoff.internal.job.WorkerOrder;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.BrokenRef;
import dev.handoff.testing.OtherThread;
import dev.handoff.testing.TestActors;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.MDC;

@DisplayName("The handler of an attempt")
class HandlerCallTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final int RUN = 5;
  private static final Cancellation WHY =
      new Cancellation(Cancellation.Cause.REQUESTED, "enough", "ann");

  private final LoneDispatcher desk = new LoneDispatcher();
  private final TestInbox<Worker.Command> worker = TestInbox.create();
  private final TestInbox<ProgressSeen> progress = TestInbox.create();
  private final Map<String, AttemptCode> code = new HashMap<>();
  private long nanos = 7_000_000_000L;

  private final ThreadsAndClock machine =
      new ThreadsAndClock() {
        @Override
        public Thread start(boolean blocking, String name, Runnable body) {
          return ThreadsAndClock.REAL.start(blocking, name, body);
        }

        @Override
        public long nanoTime() {
          return nanos;
        }
      };

  private Worker.Environment environment() {
    return new Worker.Environment(null, code, null, null, progress.getRef(), null, machine);
  }

  private HandlerAttempt attempt(JobSpec spec, Json checkpoint) {
    var order = new WorkerOrder.Run(7, LoneDispatcher.id(1), 3, spec, checkpoint, desk.ref(1));
    return new HandlerAttempt(order, environment(), worker.getRef());
  }

  private HandlerAttempt attempt() {
    return attempt(JobSpec.of("t", Json.NULL), null);
  }

  private AttemptReport run(AttemptCode.Body body) {
    return run(new AttemptCode(false, body));
  }

  private AttemptReport run(AttemptCode body) {
    code.put("t", body);
    return run(attempt());
  }

  private AttemptReport run(HandlerAttempt attempt) {
    HandlerCall.call(RUN, attempt, environment(), worker.getRef()).run();
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
    var made = new StepContribution("b".repeat(64), 1, 0);

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
    assertThat(((AttemptReport.Threw) HandlerCall.failure(new IOException("no"))).forGood())
        .isFalse();
  }

  /// In a full heap, say; this chain is too deep for the thread that reads it.
  @Test
  void failsWithAWordOfItsOwnIfItsFailureCannotBeRead() throws InterruptedException {
    var reports = new AtomicReference<AttemptReport>();
    Runnable fails =
        () -> {
          Throwable deep = new IOException("at the bottom");
          for (int i = 0; i < 50_000; i++) {
            deep = new CompletionException("deep", deep);
          }
          reports.set(HandlerCall.failure(deep));
        };

    var thread = new Thread(null, fails, "a small stack", 256 * 1024);
    thread.start();
    thread.join();

    assertThat(reports.get()).isNotNull();
    assertThat(type(reports.get())).isEqualTo("unreadable");
  }

  @Test
  void hasAnEndThatWasMadeBeforeIfItsOwnCannotBeTold() {
    var full = BrokenRef.<Worker.Command>full(actors.system());
    code.put(
        "t",
        new AttemptCode(
            false,
            attempt -> {
              full.breakDown(1);
              return Json.of("7");
            }));

    HandlerCall.call(RUN, attempt(), environment(), full.typed()).run();

    assertThat(full.next()).isEqualTo(new Worker.HandlerBegan(RUN));
    assertThat(full.next()).isEqualTo(new Worker.HandlerEnded(RUN, HandlerCall.NO_THREAD));
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
      var call = new OneTimeCall(() -> {});

      var thread = HandlerCall.start(call, attempt(), environment());
      thread.join();

      assertThat(thread.getName()).isEqualTo("handoff-" + LoneDispatcher.id(1) + "-3");
      assertThat(thread.isVirtual()).isEqualTo(!blocking);
    }
    code.clear();
    assertThat(HandlerCall.start(new OneTimeCall(() -> {}), attempt(), environment()).isVirtual())
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
            Map.of(
                "handoff.job",
                LoneDispatcher.id(1).value(),
                "handoff.attempt",
                "3",
                "handoff.type",
                "t"));
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
    assertThat(attempt().job()).isEqualTo(LoneDispatcher.id(1));
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
        .containsExactly(new ProgressSeen(LoneDispatcher.id(1), 3, "t", "default", half));
    nanos += 1;
    attempt.progress(half);

    assertThat(progress.getAllReceived()).hasSize(1);
    assertThat(attempt.notes()).isEqualTo(new AttemptNotes(List.of(), half));
  }

  @Test
  void saysWhatItLogsOnce() {
    var attempt = attempt();
    assertThat(attempt.notes()).isSameAs(AttemptNotes.NONE);
    nanos += 50;
    attempt.log("one");
    assertThat(attempt.silence()).isZero();

    assertThat(attempt.notes()).isEqualTo(new AttemptNotes(List.of("one"), null));
    assertThat(attempt.notes()).isSameAs(AttemptNotes.NONE);
    nanos += 50;
    attempt.later(Duration.ZERO);
    assertThat(attempt.silence()).isZero();
  }

  @Test
  void waitsForAValueUntilItHasIt() throws InterruptedException {
    var waits = new ChildWaits(new CancellationSource().token());

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
    var waits = new ChildWaits(source.token());
    source.cancel(WHY);

    assertThatThrownBy(() -> waits.await(new CompletableFuture<>()))
        .isInstanceOf(CancelledException.class);
  }

  @Test
  void waitsNoLongerWhenItIsCancelledMeanwhileAndNotAgain() {
    var source = new CancellationSource();
    var waits = new ChildWaits(source.token());
    var cancelling =
        new CompletableFuture<Integer>() {
          @Override
          public Integer get() throws InterruptedException, ExecutionException {
            source.cancel(WHY);
            return super.get();
          }
        };

    for (var value : List.of(cancelling, new CompletableFuture<Integer>())) {
      assertThat(OtherThread.call(() -> waits.await(value)))
          .failsWithin(BoundedWaits.PATIENCE)
          .withThrowableThat()
          .withCauseInstanceOf(CancelledException.class);
    }
  }

  @Test
  void waitsForNothingWhenItIsOver() {
    var waits = new ChildWaits(new CancellationSource().token());
    waits.close();

    assertThatThrownBy(() -> waits.await(new CompletableFuture<>()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the handler has ended");
  }
}
