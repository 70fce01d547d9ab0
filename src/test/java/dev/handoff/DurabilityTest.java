package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Cancelling.CancelRequestAnswer;
import dev.handoff.job.Backoff;
import dev.handoff.job.JobId;
import dev.handoff.job.JobStatus;
import dev.handoff.job.Json;
import dev.handoff.testing.Actors;
import dev.handoff.testing.Held;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.Home;
import dev.handoff.testing.Soon;
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

/// One test for each thing that leaves a partition: the ledger is held back, and nothing moves.
@DisplayName("Before its fact is durable")
class DurabilityTest {

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  private final Held held = new Held();
  private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
  private HeldStore store;
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff =
        Handoff.on(actors.system())
            .store(Home.of(Home.Kind.MEMORY).store())
            .around(inner -> store = new HeldStore(inner))
            .partitions(1)
            .shutdownGrace(Duration.ZERO)
            .cancelling(Duration.ofMillis(10), Duration.ofSeconds(10))
            .handler("held", Json.class, held)
            .start();
    handoff.events().runForeach(events::add, actors.system());
    Soon.until("the events are there", () -> isTold(cancelled()));
    tryOut();
  }

  /// What is done for the first time takes long, and would be late for a test that waits for
  /// nothing to happen.
  private void tryOut() {
    var job = handoff.submitOrThrow(JobRequest.of("held"));
    held.next().succeed(null);
    awaitEvent(job.id(), "succeeded");
  }

  private JobHandle cancelled() {
    var job = submitted();
    Soon.get(job.cancel("a test").ended());
    return job;
  }

  /// Takes what is told, up to the end of a job; or nothing, if the watching has not begun.
  private boolean isTold(JobHandle ended) {
    settle();
    if (events.isEmpty()) {
      return false;
    }
    awaitEvent(ended.id(), "cancelled");
    return true;
  }

  /// What a test still holds back would keep attempts from their end.
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

  private Held.Attempt running() {
    handoff.submitOrThrow(JobRequest.of("held").backoff(Backoff.none()));
    var attempt = held.next();
    awaitEvent(attempt.job().id(), "started");
    return attempt;
  }

  private void awaitEvent(JobId job, String name) {
    JobEvent event;
    do {
      event = Soon.take(events);
    } while (!event.job().equals(job) || !event.name().equals(name));
  }

  /// Whatever was on its way has arrived: several times around through every part.
  private void settle() {
    for (int i = 0; i < 20; i++) {
      Soon.get(handoff.health());
      Soon.get(handoff.jobs(JobFilter.ALL, Optional.empty(), 1));
    }
  }

  private void expectNothing(CompletionStage<?>... answers) {
    settle();
    assertThat(events).isEmpty();
    assertThat(held.waiting()).isZero();
    assertThat(List.of(answers)).noneMatch(answer -> answer.toCompletableFuture().isDone());
  }

  private void expectEvent(String name) {
    assertThat(Soon.take(events).name()).isEqualTo(name);
  }

  @Test
  void aJobIsNotAccepted() {
    store.holdWrites();
    var submission = handoff.submit(JobRequest.of("held").delay(Duration.ofDays(1)));
    var write = store.nextWrite();

    expectNothing(submission);
    write.go();

    assertThat(Soon.get(submission)).isInstanceOf(Submission.Accepted.class);
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

  /// By one commit, if a worker is at hand by now.
  @Test
  void aJobNeitherIsAcceptedNorRuns() {
    store.holdWrites();
    var submission = handoff.submit(JobRequest.of("held"));
    var write = store.nextWrite();

    expectNothing(submission);
    write.go();
    store.release();

    assertThat(Soon.get(submission)).isInstanceOf(Submission.Accepted.class);
    held.next();
    expectEvent("submitted");
    expectEvent("claimed");
  }

  /// Its claim has a commit of its own.
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

    assertThat(Soon.get(result)).isEqualTo(new Outcome.Succeeded(Json.of("1")));
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

    assertThat(Soon.get(result)).isInstanceOf(Outcome.Failed.class);
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

    assertThat(Soon.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.REQUESTED);
    assertThat(Soon.get(cancelling.ended())).isInstanceOf(CancelReport.Cancelled.class);
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

    assertThat(Soon.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.REQUESTED);
    expectEvent("cancel-requested");
    var end = store.nextWrite();
    assertThat(attempt.job().cancellation().isCancelled()).isTrue();
    expectNothing(cancelling.ended());
    end.go();
    assertThat(Soon.get(cancelling.ended())).isInstanceOf(CancelReport.Cancelled.class);
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

    assertThat(Soon.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.ALREADY_FINISHED);
    assertThat(Soon.get(cancelling.ended()))
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

    assertThat(Soon.get(retry)).isInstanceOf(RetryAnswer.Reopened.class);
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

    assertThat(Soon.get(submission)).isInstanceOf(Submission.Accepted.class);
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

    Soon.get(kept);
    expectEvent("checkpointed");
  }

  @Test
  void progressIsNotNoted() {
    var attempt = running();
    store.holdWrites();
    Soon.until(
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

    Soon.get(pause);
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

    assertThat(Soon.get(first)).isInstanceOf(Submission.Accepted.class);
    assertThat(Soon.get(second)).isInstanceOf(Submission.Existing.class);
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

    Soon.until("it is seen", () -> count(live) == before + 1);
  }

  private int count(JobFilter filter) {
    CompletionStage<JobPage> page = handoff.jobs(filter, Optional.empty(), 100);
    return Soon.get(page).jobs().size();
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

    answers.forEach(Soon::get);
  }
}
