package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.internal.dispatch.worker.HandlerAttempt;
import dev.handoff.internal.job.ChildReply;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.ObservedHistory;
import dev.handoff.testing.RandomSeeds;
import dev.handoff.testing.TestActors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Jobs with children")
class ParentsAndChildrenTest {

  private static final int WORKERS = 4;

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  /// All parents hold workers before the first child is submitted.
  @Test
  void allEndAlthoughThereAreFewerWorkersThanParents() {
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    try (var house =
        InMemoryEngine.plan()
            .settings("workers = " + WORKERS)
            .handler("parent", attempt -> awaitChild(attempt, running, most))
            .handler("child", attempt -> Json.NULL)
            .build(actors)) {
      var parents = new ArrayList<JobId>();
      for (int i = 0; i < 200; i++) {
        parents.add(house.submit("parent"));
      }

      assertThat(parents).allSatisfy(parent -> succeeded(house.end(parent)));
      assertThat(parents)
          .allSatisfy(parent -> assertThat(house.end(parent).attempt()).isEqualTo(1));
      assertThat(most).hasValueLessThanOrEqualTo(WORKERS);
      house.awaitRest();
    }
  }

  private static Json awaitChild(HandlerAttempt attempt, AtomicInteger running, AtomicInteger most)
      throws InterruptedException {
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    var child =
        (ChildReply.Accepted) BoundedWaits.get(attempt.submit(JobSpec.of("child", Json.NULL)));
    running.decrementAndGet();
    succeeded(attempt.await(child.child()));
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    running.decrementAndGet();
    return Json.NULL;
  }

  private static void succeeded(JobState state) {
    assertThat(state.status(Instant.MAX)).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void leaveNoOrphanWhenTheyAreCancelledWhileTheySubmit() {
    RandomSeeds.each(
        20,
        random -> {
          var history = new ObservedHistory();
          Queue<JobId> accepted = new ConcurrentLinkedQueue<>();
          var enough = new CountDownLatch(1 + random.nextInt(12));
          try (var house =
              InMemoryEngine.plan()
                  .settings("workers = 3\ncancel { grace = 5s, abandon = 10s, repeat = 100ms }")
                  .handler("parent", attempt -> submitAll(attempt, accepted, enough))
                  .handler("child", ParentsAndChildrenTest::untilItIsCancelled)
                  .watched(history)
                  .build(actors)) {
            var parent = house.submit("parent");
            BoundedWaits.get(
                CompletableFuture.runAsync(() -> await(enough), Thread::startVirtualThread));

            house.cancel(parent);

            var end = house.end(parent);
            assertThat(end.status(Instant.MAX)).isEqualTo(JobStatus.CANCELLED);
            assertThat(children(history)).containsAll(accepted);
            assertThat(end.trail().children().stream().map(child -> child.id()))
                .containsExactlyInAnyOrderElementsOf(children(history));
            assertThat(children(history))
                .allSatisfy(
                    child ->
                        assertThat(house.end(child).status(Instant.MAX))
                            .isEqualTo(JobStatus.CANCELLED));
            house.awaitRest();
          }
        });
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Submits several children at a time, until a submission is refused.
  private static Json submitAll(
      HandlerAttempt attempt, Queue<JobId> accepted, CountDownLatch enough) {
    for (int i = 0; i < 1_000; i++) {
      var answers = new ArrayList<CompletionStage<ChildReply>>();
      for (int j = 0; j < 3; j++) {
        answers.add(attempt.submit(JobSpec.of("child", Json.NULL)));
      }
      for (var answer : answers) {
        if (!(BoundedWaits.get(answer)
            instanceof ChildReply.Accepted(var job, var child, var known))) {
          attempt.cancellation().throwIfCancelled();
          return Json.NULL;
        }
        accepted.add(child);
        enough.countDown();
      }
    }
    throw new AssertionError("nobody has stopped it");
  }

  private static Json untilItIsCancelled(HandlerAttempt attempt) throws InterruptedException {
    attempt.cancellation().await(BoundedWaits.PATIENCE);
    attempt.cancellation().throwIfCancelled();
    return Json.NULL;
  }

  private static List<JobId> children(ObservedHistory history) {
    return history.all(ObservedHistory.Written.class).stream()
        .filter(
            written ->
                written.fact() instanceof JobFact.Submitted submitted
                    && submitted.spec().origin() != null)
        .map(ObservedHistory.Written::job)
        .toList();
  }
}
