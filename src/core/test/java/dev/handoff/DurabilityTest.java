package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.CancelHandle.CancelRequestAnswer;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// One test per kind of message that leaves a partition: while the write is held, no message
/// leaves.
@DisplayName("Before its fact is durable")
class DurabilityTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final HeldHandler held = new HeldHandler();
  private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
  private HeldStore store;
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff =
        EngineBuilder.on(actors.system())
            .store(StoreDirectory.of(StoreDirectory.Kind.MEMORY).store())
            .around(inner -> store = new HeldStore(inner))
            .partitions(1)
            .shutdownGrace(Duration.ZERO)
            .cancelling(Duration.ofMillis(10), Duration.ofSeconds(10))
            .handler("held", Json.class, held)
            .start();
    handoff.events().runForeach(events::add, actors.system());
    BoundedWaits.until("the events are there", () -> isTold(cancelled()));
    tryOut();
  }

  /// Runs a job first: class loading would be slow enough to hide a premature message in tests that
  /// expect none.
  private void tryOut() {
    var job = handoff.submitOrThrow(JobRequest.of("held"));
    held.next().succeed(null);
    awaitEvent(job.id(), "succeeded");
  }

  private JobHandle cancelled() {
    var job = submitted();
    BoundedWaits.get(job.cancel("a test").ended());
    return job;
  }

  /// Takes events up to the end of a job; returns false if the subscription has not started.
  private boolean isTold(JobHandle ended) {
    settle();
    if (events.isEmpty()) {
      return false;
    }
    awaitEvent(ended.id(), "cancelled");
    return true;
  }

  /// A write that a test still holds would keep attempts from ending.
  @AfterEach
  void stop() {
    store.release();
    handoff.close();
  }

  private JobHandle submitted() {
    return handoff.submitOrThrow(JobRequest.of("held").delay(Duration.ofDays(1)));
  }

  private JobHandle waiting() {
    var job = submitted();
    awaitEvent(job.id(), "submitted");
    return job;
  }

  private HeldHandler.Attempt running() {
    handoff.submitOrThrow(JobRequest.of("held").backoff(Backoff.none()));
    var attempt = held.next();
    awaitEvent(attempt.job().id(), "started");
    return attempt;
  }

  private void awaitEvent(JobId job, String name) {
    JobEvent event;
    do {
      event = BoundedWaits.take(events);
    } while (!event.job().equals(job) || !event.name().equals(name));
  }

  /// Makes several round trips through all actors, so that earlier messages have arrived.
  private void settle() {
    for (int i = 0; i < 20; i++) {
      BoundedWaits.get(handoff.health());
      BoundedWaits.get(handoff.jobs(JobFilter.ALL, Optional.empty(), 1));
    }
  }

  private void expectNothing(CompletionStage<?>... answers) {
    settle();
    assertThat(events).isEmpty();
    assertThat(held.waiting()).isZero();
    assertThat(List.of(answers)).noneMatch(answer -> answer.toCompletableFuture().isDone());
  }

  private void expectEvent(String name) {
    assertThat(BoundedWaits.take(events).name()).isEqualTo(name);
  }

  @Test
  void aJobIsNotAccepted() {
    store.holdWrites();
    var submission = handoff.submit(JobRequest.of("held").delay(Duration.ofDays(1)));
    var write = store.nextWrite();

    expectNothing(submission);
    write.go();

    assertThat(BoundedWaits.get(submission)).isInstanceOf(Submission.Accepted.class);
    expectEvent("submitted");
  }

  @Test
  void aJobDoesNotRun() {
    store.holdWrites();
    handoff.submit(soon());
    store.nextWrite().go();
    expectEvent("submitted");
    var claim = store.nextWrite();

    expectNothing();
    claim.go();

    held.next();
    expectEvent("claimed");
  }

  /// Submission and claim share one commit if an idle worker is known.
  @Test
  void aJobNeitherIsAcceptedNorRuns() {
    store.holdWrites();
    var submission = handoff.submit(JobRequest.of("held"));
    var write = store.nextWrite();

    expectNothing(submission);
    write.go();
    store.release();

    assertThat(BoundedWaits.get(submission)).isInstanceOf(Submission.Accepted.class);
    held.next();
    expectEvent("submitted");
    expectEvent("claimed");
  }

  /// Delayed job: its claim is a separate commit.
  private static JobRequest soon() {
    return JobRequest.of("held").delay(Duration.ofMillis(50));
  }

  @Test
  void aStartIsNotTold() {
    store.holdWrites();
    handoff.submit(soon());
    store.nextWrite().go();
    expectEvent("submitted");
    store.nextWrite().go();
    expectEvent("claimed");
    held.next();
    var start = store.nextWrite();

    expectNothing();
    start.go();

    expectEvent("started");
  }

  @Test
  void aResultIsNotTold() {
    var attempt = running();
    var result = handoff.handle(attempt.job().id()).result();
    store.holdWrites();
    attempt.succeed(1);
    var end = store.nextWrite();

    expectNothing(result);
    end.go();

    assertThat(BoundedWaits.get(result)).isEqualTo(new Outcome.Succeeded(Json.of("1")));
    expectEvent("succeeded");
  }

  @Test
  void aFailureIsNotTold() {
    handoff.submitOrThrow(JobRequest.of("held").maxAttempts(1));
    var attempt = held.next();
    awaitEvent(attempt.job().id(), "started");
    var result = handoff.handle(attempt.job().id()).result();
    store.holdWrites();
    attempt.fail("for good");
    var end = store.nextWrite();

    expectNothing(result);
    end.go();

    assertThat(BoundedWaits.get(result)).isInstanceOf(Outcome.Failed.class);
    expectEvent("failed");
  }

  @Test
  void anotherAttemptDoesNotStart() {
    var attempt = running();
    store.holdWrites();
    attempt.fail("once");
    var failure = store.nextWrite();

    expectNothing();
    failure.go();
    expectEvent("retry-scheduled");
    var claim = store.nextWrite();
    expectNothing();
    claim.go();

    assertThat(held.next().job().attempt()).isEqualTo(2);
  }

  @Test
  void aCancelOfAWaitingJobIsNotAnswered() {
    var job = waiting();
    store.holdWrites();
    var cancelling = job.cancel("a mistake");
    var write = store.nextWrite();

    expectNothing(cancelling.requested(), cancelling.ended());
    write.go();

    assertThat(BoundedWaits.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.REQUESTED);
    assertThat(BoundedWaits.get(cancelling.ended())).isInstanceOf(CancelReport.Cancelled.class);
  }

  @Test
  void aCancelOfARunningJobIsNeitherAnsweredNorFelt() {
    var attempt = running();
    store.holdWrites();
    var cancelling = handoff.cancel(attempt.job().id(), "a mistake");
    var request = store.nextWrite();

    expectNothing(cancelling.requested(), cancelling.ended());
    assertThat(attempt.job().cancellation().isCancelled()).isFalse();
    request.go();

    assertThat(BoundedWaits.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.REQUESTED);
    expectEvent("cancel-requested");
    var end = store.nextWrite();
    assertThat(attempt.job().cancellation().isCancelled()).isTrue();
    expectNothing(cancelling.ended());
    end.go();
    assertThat(BoundedWaits.get(cancelling.ended())).isInstanceOf(CancelReport.Cancelled.class);
  }

  @Test
  void aCancelThatComesTooLateIsNotAnswered() {
    var attempt = running();
    store.holdWrites();
    attempt.succeed(1);
    var end = store.nextWrite();
    var cancelling = handoff.cancel(attempt.job().id(), "a mistake");

    expectNothing(cancelling.requested(), cancelling.ended());
    end.go();

    assertThat(BoundedWaits.get(cancelling.requested()))
        .isEqualTo(CancelRequestAnswer.ALREADY_FINISHED);
    assertThat(BoundedWaits.get(cancelling.ended()))
        .isEqualTo(new CancelReport.Already(attempt.job().id(), JobStatus.SUCCEEDED));
  }

  @Test
  void aRetryIsNotAnswered() {
    var job = cancelled();
    awaitEvent(job.id(), "cancelled");
    store.holdWrites();
    var retry = handoff.retry(job.id(), "me");
    var write = store.nextWrite();

    expectNothing(retry);
    write.go();

    assertThat(BoundedWaits.get(retry)).isInstanceOf(RetryAnswer.Reopened.class);
    expectEvent("reopened");
  }

  @Test
  void aChildIsNotAccepted() {
    var attempt = running();
    store.holdWrites();
    var submission = attempt.job().submit(JobRequest.of("held").delay(Duration.ofDays(1)));
    var write = store.nextWrite();

    expectNothing(submission);
    write.go();

    assertThat(BoundedWaits.get(submission)).isInstanceOf(Submission.Accepted.class);
    expectEvent("child-added");
    expectEvent("submitted");
  }

  @Test
  void aCheckpointIsNotConfirmed() {
    var attempt = running();
    store.holdWrites();
    var kept = attempt.job().checkpoint(7);
    var write = store.nextWrite();

    expectNothing(kept);
    write.go();

    BoundedWaits.get(kept);
    expectEvent("checkpointed");
  }

  @Test
  void progressIsNotNoted() {
    var attempt = running();
    store.holdWrites();
    BoundedWaits.until(
        "it is written",
        () -> {
          attempt.job().progress(0.5, "half");
          return store.heldWrites() > 0;
        });
    settle();

    assertThat(events).allMatch(event -> event.name().equals("progress"));
    store.nextWrite().go();

    awaitEvent(attempt.job().id(), "noted");
  }

  @Test
  void aQueueIsNotPaused() {
    store.holdWrites();
    var pause = handoff.queues().pause("default");
    var write = store.nextWrite();

    expectNothing(pause);
    write.go();

    BoundedWaits.get(pause);
  }

  @Test
  void aSecondSubmissionOfTheSameKeyIsNotAnswered() {
    store.holdWrites();
    var request = JobRequest.of("held").key("k").delay(Duration.ofDays(1));
    var first = handoff.submit(request);
    var write = store.nextWrite();
    var second = handoff.submit(request);

    expectNothing(first, second);
    write.go();

    assertThat(BoundedWaits.get(first)).isInstanceOf(Submission.Accepted.class);
    assertThat(BoundedWaits.get(second)).isInstanceOf(Submission.Existing.class);
  }

  @Test
  void aJobCannotBeSeen() {
    store.holdWrites();
    handoff.submit(JobRequest.of("held").delay(Duration.ofDays(1)));
    var write = store.nextWrite();

    settle();
    var live = JobFilter.ALL.status(JobStatus.SCHEDULED);
    int before = count(live);
    write.go();

    BoundedWaits.until("it is seen", () -> count(live) == before + 1);
  }

  private int count(JobFilter filter) {
    CompletionStage<JobPage> page = handoff.jobs(filter, Optional.empty(), 100);
    return BoundedWaits.get(page).jobs().size();
  }

  @Test
  void aWholeEngineIsSilent() {
    var attempt = running();
    store.holdWrites();
    var answers =
        List.<CompletionStage<?>>of(
            handoff.submit(JobRequest.of("held").key("k")),
            handoff.submit(JobRequest.of("held")),
            handoff.cancel(attempt.job().id(), "a mistake").requested(),
            handoff.queues().pause("default"));
    var write = store.nextWrite();

    expectNothing(answers.toArray(CompletionStage<?>[]::new));
    store.release();
    write.go();

    answers.forEach(BoundedWaits::get);
  }
}
