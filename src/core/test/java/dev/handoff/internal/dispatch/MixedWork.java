package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.internal.dispatch.worker.AttemptCode;
import dev.handoff.internal.dispatch.worker.HandlerAttempt;
import dev.handoff.internal.job.ChildReply;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HistoryInvariants;
import dev.handoff.testing.ObservedHistory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Mixed workload for an engine, with a check for leaked slots, workers and jobs.
final class MixedWork implements AutoCloseable {

  static final int WORKERS = 3;
  static final int LIMIT = 2;
  static final Duration HEARTBEAT = Duration.ofMillis(100);

  private final InMemoryEngine house;
  private final MessageFaults faults;
  private final ObservedHistory history = new ObservedHistory();
  private final CyclicBarrier everyWorker = new CyclicBarrier(WORKERS);
  private final CyclicBarrier everySlot = new CyclicBarrier(LIMIT);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final CountDownLatch giveIn = new CountDownLatch(1);
  private final List<JobId> jobs = new ArrayList<>();
  private int attempts;

  MixedWork(TestActors actors, MessageFaults faults) {
    this.faults = faults;
    house =
        InMemoryEngine.plan()
            .handler("plain", noted(attempt -> Json.NULL))
            .handler("limited", noted(this::limited))
            .handler("patient", noted(this::patient))
            .handler("parent", noted(this::parent))
            .handler("endless", noted(this::endless))
            .handler("stubborn", noted(this::stubborn))
            .handler("all-workers", noted(attempt -> meet(everyWorker)))
            .handler("all-slots", noted(attempt -> meet(everySlot)))
            .watched(history)
            .settings("workers = " + WORKERS)
            .settings("dispatch.heartbeat = %dms".formatted(HEARTBEAT.toMillis()))
            .settings("cancel { grace = 200ms, abandon = 1s, repeat = 100ms }")
            .settings("shutdown-grace = 5s")
            .build(actors);
  }

  private AttemptCode.Body noted(AttemptCode.Body body) {
    return attempt -> {
      history.entered(attempt.job(), attempt.number());
      try {
        return body.run(attempt);
      } finally {
        history.left(attempt.job(), attempt.number());
      }
    };
  }

  private Json limited(HandlerAttempt attempt) {
    useASlot();
    return Json.NULL;
  }

  private void useASlot() {
    history.took("two");
    history.gave("two");
  }

  /// Asks for two further calls, each of which takes a slot of its queue.
  private Json patient(HandlerAttempt attempt) {
    useASlot();
    if (attempt.number() < 3) {
      attempt.later(Duration.ofMillis(1));
    }
    return Json.NULL;
  }

  private Json parent(HandlerAttempt attempt) throws InterruptedException {
    useASlot();
    var reply = (ChildReply.Accepted) BoundedWaits.get(attempt.submit(spec("limited", "two")));
    attempt.await(reply.child());
    useASlot();
    return Json.NULL;
  }

  private Json endless(HandlerAttempt attempt) throws InterruptedException {
    attempt.cancellation().await(BoundedWaits.PATIENCE);
    attempt.cancellation().throwIfCancelled();
    return Json.NULL;
  }

  /// Ignores its cancellation token and interrupts.
  private Json stubborn(HandlerAttempt attempt) {
    while (true) {
      try {
        giveIn.await();
        return Json.NULL;
      } catch (InterruptedException deaf) {
        interrupted.countDown();
      }
    }
  }

  private static Json meet(CyclicBarrier barrier) throws Exception {
    try {
      barrier.await(10, TimeUnit.SECONDS);
    } catch (BrokenBarrierException tooFew) {
      throw new AssertionError("not all places could be used at once", tooFew);
    }
    return Json.NULL;
  }

  private static JobSpec spec(String type, String queue) {
    return new JobSpec(type, Json.NULL, queue, 0, null, null, JobOptions.DEFAULT, null);
  }

  /// @param enough whether all awaited events have occurred
  void run(BooleanSupplier enough) {
    house.change("two", new Queues.Limited(LIMIT));
    submit(6, "plain", "any");
    submit(6, "limited", "two");
    submit(3, "patient", "two");
    submit(3, "parent", "two");
    var endless = submit(2, "endless", "any");
    submit(4, "plain", "any");
    for (int round = 0; round < 30 && !enough.getAsBoolean(); round++) {
      cancelThoseThatAreHandedOut();
      cancelThoseThatWaitForASlot();
      awaitBeat(enough);
    }
    endless.forEach(house::cancel);

    jobs.forEach(this::expectEndOf);
    house.awaitRest();
    HistoryInvariants.check(history, house.ends(history), Map.of("two", LIMIT));
  }

  /// Cancels jobs at the moment they get workers.
  private void cancelThoseThatAreHandedOut() {
    house.change("held", new Queues.Paused(true));
    var victims = submit(6, "plain", "held");
    house.changing("held", new Queues.Paused(false));
    var answers = victims.stream().map(house::cancelling).toList();
    answers.forEach(BoundedWaits::get);
  }

  /// Cancels jobs of the limited queue, some of them offered, while parents wait for its slots.
  private void cancelThoseThatWaitForASlot() {
    var victims = submit(4, "limited", "two");
    var answers = victims.stream().map(house::cancelling).toList();
    answers.forEach(BoundedWaits::get);
  }

  /// Waits for a heartbeat while work is in progress.
  private void awaitBeat(BooleanSupplier enough) {
    int before = faults.beats();
    BoundedWaits.until("a heartbeat", () -> enough.getAsBoolean() || faults.beats() > before);
  }

  private List<JobId> submit(int count, String type, String queue) {
    var submitted = new ArrayList<JobId>();
    for (int i = 0; i < count; i++) {
      var job = house.submit(spec(type, queue));
      history.accepted(job, spec(type, queue));
      submitted.add(job);
    }
    jobs.addAll(submitted);
    return submitted;
  }

  private void expectEndOf(JobId job) {
    var end = house.end(job);
    history.told(end);
    assertThat(end.status(Instant.MAX))
        .as(end.toString())
        .isIn(JobStatus.SUCCEEDED, JobStatus.CANCELLED);
    long later =
        end.trail().attempts().stream().filter(one -> one.cause() == EndCause.LATER).count();
    attempts = Math.max(attempts, end.attempt() - (int) later);
  }

  /// Cancels a job whose code does not stop: the job ends, its worker stays occupied.
  void abandonOne() throws InterruptedException {
    var job = submit(1, "stubborn", "any").get(0);
    BoundedWaits.until(
        "it runs",
        () ->
            history
                .all(ObservedHistory.Entered.class)
                .contains(new ObservedHistory.Entered(job, 1)));
    house.cancel(job);

    var end = house.end(job);
    assertThat(end.phase()).isInstanceOf(JobPhase.Cancelled.class);
    assertThat(((JobPhase.Cancelled) end.phase()).abandoned()).isTrue();
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    BoundedWaits.until("it is counted", () -> house.health().pool().abandoned() == 1);
    assertThat(house.health().pool().busy()).isEqualTo(1);
    giveIn.countDown();
    BoundedWaits.until("it counts no more", () -> house.health().pool().abandoned() == 0);
    house.awaitRest();
  }

  /// Asserts that all workers and all slots can be used at once.
  void expectNoLeak() {
    expectSuccess(submit(WORKERS, "all-workers", "any"));
    expectSuccess(submit(LIMIT, "all-slots", "two"));
    house.awaitRest();
  }

  private void expectSuccess(List<JobId> all) {
    for (var job : all) {
      var end = house.end(job);
      assertThat(end.status(Instant.MAX))
          .as("%s, %s", end, house.health())
          .isEqualTo(JobStatus.SUCCEEDED);
    }
  }

  /// Maximum number of attempts of a job, without attempts that it asked for.
  int attempts() {
    return attempts;
  }

  void shutDown() {
    house.shutDown();
  }

  @Override
  public void close() {
    house.close();
  }
}
