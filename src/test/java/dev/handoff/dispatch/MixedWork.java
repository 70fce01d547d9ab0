package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.job.EndCause;
import dev.handoff.job.JobId;
import dev.handoff.job.JobOptions;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobStatus;
import dev.handoff.job.Json;
import dev.handoff.job.Phase;
import dev.handoff.testing.Actors;
import dev.handoff.testing.History;
import dev.handoff.testing.Invariants;
import dev.handoff.testing.Soon;
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

/// A bit of everything that an engine is asked to do, and a check that nothing of it is left over.
final class MixedWork implements AutoCloseable {

  static final int WORKERS = 3;
  static final int LIMIT = 2;
  static final Duration HEARTBEAT = Duration.ofMillis(100);

  private final House house;
  private final Faults faults;
  private final History history = new History();
  private final CyclicBarrier everyWorker = new CyclicBarrier(WORKERS);
  private final CyclicBarrier everySlot = new CyclicBarrier(LIMIT);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final CountDownLatch giveIn = new CountDownLatch(1);
  private final List<JobId> jobs = new ArrayList<>();
  private int attempts;

  MixedWork(Actors actors, Faults faults) {
    this.faults = faults;
    house =
        House.plan()
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

  private Json limited(Attempt attempt) {
    useASlot();
    return Json.NULL;
  }

  private void useASlot() {
    history.took("two");
    history.gave("two");
  }

  /// Wants to be called twice more, and has a slot of its queue each time.
  private Json patient(Attempt attempt) {
    useASlot();
    if (attempt.number() < 3) {
      attempt.later(Duration.ofMillis(1));
    }
    return Json.NULL;
  }

  private Json parent(Attempt attempt) throws InterruptedException {
    useASlot();
    var reply = (JobReply.ChildAccepted) Soon.get(attempt.submit(spec("limited", "two")));
    attempt.await(reply.child());
    useASlot();
    return Json.NULL;
  }

  private Json endless(Attempt attempt) throws InterruptedException {
    attempt.cancellation().await(Soon.PATIENCE);
    attempt.cancellation().throwIfCancelled();
    return Json.NULL;
  }

  /// Does not look at its token, and is not impressed by an interrupt.
  private Json stubborn(Attempt attempt) {
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

  /// @param enough whether everything was seen for which there has to be work
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
    Invariants.check(history, house.ends(history), Map.of("two", LIMIT));
  }

  /// Jobs that are cancelled, all at once, while credits are on their way to them.
  private void cancelThoseThatAreHandedOut() {
    house.change("held", new Queues.Paused(true));
    var victims = submit(6, "plain", "held");
    house.changing("held", new Queues.Paused(false));
    var answers = victims.stream().map(house::cancelling).toList();
    answers.forEach(Soon::get);
  }

  /// Jobs of the queue with a limit, some of them offered, while parents wait to go on in it.
  private void cancelThoseThatWaitForASlot() {
    var victims = submit(4, "limited", "two");
    var answers = victims.stream().map(house::cancelling).toList();
    answers.forEach(Soon::get);
  }

  /// With something running, and a heartbeat now and then.
  private void awaitBeat(BooleanSupplier enough) {
    int before = faults.beats();
    Soon.until("a heartbeat", () -> enough.getAsBoolean() || faults.beats() > before);
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

  /// A job whose code does not stop: it is over, but its worker is taken until the code ends.
  void abandonOne() throws InterruptedException {
    var job = submit(1, "stubborn", "any").get(0);
    Soon.until(
        "it runs", () -> history.all(History.Entered.class).contains(new History.Entered(job, 1)));
    house.cancel(job);

    var end = house.end(job);
    assertThat(end.phase()).isInstanceOf(Phase.Cancelled.class);
    assertThat(((Phase.Cancelled) end.phase()).abandoned()).isTrue();
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    Soon.until("it is counted", () -> house.health().pool().abandoned() == 1);
    assertThat(house.health().pool().busy()).isEqualTo(1);
    giveIn.countDown();
    Soon.until("it counts no more", () -> house.health().pool().abandoned() == 0);
    house.awaitRest();
  }

  /// As many attempts as there are workers, and as there are slots, run at once.
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

  /// How many attempts the job with the most of them had, but for those that it wanted itself.
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
