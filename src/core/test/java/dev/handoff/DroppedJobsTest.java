package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.CancelHandle.CancelRequestAnswer;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Jobs whose history is dropped")
class DroppedJobsTest {

  @TempDir private Path directory;

  private final CountDownLatch go = new CountDownLatch(1);
  private Handoff handoff;

  @AfterEach
  void close() {
    if (handoff != null) {
      handoff.close();
    }
  }

  private void open(Map<String, Object> settings) {
    if (handoff != null) {
      handoff.close();
    }
    var builder =
        Handoff.builder()
            .directory(directory.resolve("data"))
            .partitions(1)
            .handler("double", Integer.class, (number, job) -> 2 * number)
            .handler("kept", Integer.class, (number, job) -> number)
            .handler(
                "wait",
                Integer.class,
                (number, job) -> {
                  go.await();
                  return number;
                })
            .handler(
                "fail",
                Integer.class,
                (number, job) -> {
                  throw new IllegalStateException("no " + number);
                })
            .handler(
                "parent",
                Integer.class,
                (number, job) -> {
                  var child =
                      BoundedWaits.get(job.submit(JobRequest.of("double", number).key("child")));
                  return job.await(((Submission.Accepted) child).handle()).toString();
                });
    settings.forEach(builder::set);
    handoff = builder.start();
  }

  private static Map<String, Object> drop() {
    return Map.of("history.succeeded", "drop", "history.types.kept.succeeded", "keep");
  }

  private JobHandle submit(String type, int number) {
    return handoff.submitOrThrow(JobRequest.of(type, number).maxAttempts(1));
  }

  private static JobId ended(JobHandle handle) {
    assertThat(BoundedWaits.get(handle.result())).isInstanceOf(Outcome.Succeeded.class);
    return handle.id();
  }

  @Test
  void tellTheirOutcomeToWhoeverWaitsForIt() {
    open(drop());
    var handle = submit("wait", 7);
    var result = handle.result();
    var info = handle.ended();

    go.countDown();

    assertThat(BoundedWaits.get(result)).isInstanceOf(Outcome.Succeeded.class);
    assertThat(BoundedWaits.get(info).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  /// The job ends within a millisecond; the question comes later.
  @Test
  void tellTheirOutcomeAlsoAMomentTooLate() {
    open(drop());
    var other = submit("wait", 1);
    var handle = submit("double", 7);
    BoundedWaits.until(
        "it is over", () -> !BoundedWaits.get(handle.status()).status().equals(JobStatus.RUNNING));

    assertThat(BoundedWaits.get(handle.result())).isInstanceOf(Outcome.Succeeded.class);
    go.countDown();
    ended(other);
  }

  @Test
  void leaveNoRowAndAreNotKeptForWhoeverAsksLater() {
    open(drop());
    var dropped = ended(submit("double", 7));
    var kept = ended(submit("kept", 7));
    open(drop());

    var jobs = BoundedWaits.get(handoff.jobs(JobFilter.ALL, Optional.empty(), 10)).jobs();
    assertThat(jobs).map(JobInfo::id).containsExactly(kept);
    assertThat(BoundedWaits.get(handoff.job(kept))).isPresent();
    assertThatThrownBy(() -> handoff.job(dropped).toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(JobNotKeptException.class)
        .hasMessageContaining("was not kept");
    assertThatThrownBy(() -> handoff.handle(dropped).result().toCompletableFuture().join())
        .hasCauseInstanceOf(JobNotKeptException.class);
    assertThatThrownBy(() -> handoff.handle(dropped).status().toCompletableFuture().join())
        .hasCauseInstanceOf(JobNotKeptException.class);
    var cancelling = handoff.cancel(dropped, "late");
    assertThat(BoundedWaits.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.NOT_KEPT);
    assertThat(BoundedWaits.get(cancelling.ended())).isEqualTo(new CancelReport.NotKept(dropped));
    assertThat(BoundedWaits.get(handoff.retry(dropped, "me")))
        .isEqualTo(new RetryAnswer.NotKept(dropped));
  }

  /// Another job can have taken the key by then.
  @Test
  void areNotOpenedAgainEvenIfTheyHaveOnlyJustEnded() {
    open(Map.of("history.failed", "drop"));
    var failed = submit("fail", 7);
    assertThat(BoundedWaits.get(failed.result())).isInstanceOf(Outcome.Failed.class);

    var answer = BoundedWaits.get(handoff.retry(failed.id(), "me"));

    assertThat(answer).isEqualTo(new RetryAnswer.NotKept(failed.id()));
  }

  @Test
  void areNotFoundWhereNothingWasEverDropped() {
    open(Map.of());
    var none = new JobId("01M7QA29F8201SE11P2AY4J500");

    assertThat(BoundedWaits.get(handoff.job(none))).isEmpty();
    assertThat(BoundedWaits.get(handoff.retry(none, "me")))
        .isEqualTo(new RetryAnswer.NotFound(none));
  }

  @Test
  void areStillNotKeptWhereNothingIsDroppedAnyMore() {
    open(drop());
    var dropped = ended(submit("double", 7));
    open(Map.of());

    assertThatThrownBy(() -> handoff.job(dropped).toCompletableFuture().join())
        .hasCauseInstanceOf(JobNotKeptException.class);
    assertThatThrownBy(() -> handoff.handle(dropped).result().toCompletableFuture().join())
        .hasCauseInstanceOf(JobNotKeptException.class);
    assertThat(BoundedWaits.get(handoff.retry(dropped, "me")))
        .isEqualTo(new RetryAnswer.NotKept(dropped));
  }

  @Test
  void keepTheirKeysForAsLongAsTheyShould() {
    open(drop());
    var request = JobRequest.of("double", 7).key("k");
    var first = ended(handoff.submitOrThrow(request));
    for (int round = 0; round < 2; round++) {
      assertThat(BoundedWaits.get(handoff.submit(request)))
          .isInstanceOfSatisfying(
              Submission.Existing.class, it -> assertThat(it.handle().id()).isEqualTo(first));
      assertThat(BoundedWaits.get(handoff.submit(JobRequest.of("double", 8).key("k"))))
          .isEqualTo(new Submission.KeyConflict("k", first));
      open(drop());
    }

    open(Map.of("history.succeeded", "drop", "history.key-retention", "0s"));

    BoundedWaits.until(
        "its key is free",
        () -> BoundedWaits.get(handoff.submit(request)) instanceof Submission.Accepted);
  }

  /// A type's own retention can be shorter or longer than the default.
  @Test
  void areForgottenSoonerWhereTheirTypeSaysSo() {
    open(Map.of());
    var first = ended(submit("double", 1));
    var other = ended(submit("kept", 1));

    open(Map.of("history.types.double.retention", "0s"));
    BoundedWaits.until("it is forgotten", () -> BoundedWaits.get(handoff.job(first)).isEmpty());
    assertThat(BoundedWaits.get(handoff.job(other))).isPresent();
    var next = ended(submit("double", 2));

    open(Map.of("history.retention", "0s", "history.types.double.retention", "30d"));
    BoundedWaits.until("all others are", () -> BoundedWaits.get(handoff.job(other)).isEmpty());
    assertThat(BoundedWaits.get(handoff.job(next))).isPresent();
  }

  @Test
  void areKeptWhereOthersReadTheirResults() {
    open(drop());
    var parent = submit("parent", 4);
    ended(parent);
    var plan =
        handoff
            .plans()
            .submitOrThrow(
                PlanRequest.of("p")
                    .step("a", JobRequest.of("double", 1))
                    .step("b", JobRequest.of("double", 2), PlanRequest.after("a")));
    BoundedWaits.get(plan.ended());

    var jobs = BoundedWaits.get(handoff.jobs(JobFilter.ALL, Optional.empty(), 10)).jobs();
    assertThat(jobs).map(JobInfo::type).containsOnly("double").hasSize(3);
  }

  /// The job of a step can be forgotten, but is never dropped.
  @Test
  void leaveThePlansReadableWhoseStepsAreForgotten() {
    open(Map.of("history.succeeded", "drop", "shutdown-grace", "0s"));
    var plan =
        handoff
            .plans()
            .submitOrThrow(
                PlanRequest.of("p")
                    .step("a", JobRequest.of("double", 1))
                    .step("b", JobRequest.of("wait", 2), PlanRequest.after("a")));
    BoundedWaits.until(
        "b runs", () -> stepJob(plan.id(), 1).filter(job -> job.attempt() > 0).isPresent());

    open(Map.of("history.succeeded", "drop", "history.retention", "0s"));

    BoundedWaits.until("a is forgotten", () -> stepJob(plan.id(), 0).isEmpty());
    go.countDown();
    assertThat(BoundedWaits.get(handoff.plans().plan(plan.id()).ended()).steps()).hasSize(2);
  }

  private Optional<JobInfo> stepJob(PlanId plan, int step) {
    return BoundedWaits.get(handoff.plans().plan(plan).info())
        .orElseThrow()
        .steps()
        .get(step)
        .info();
  }

  @Test
  void areKeptIfTheyFailUnlessThatIsDroppedToo() {
    open(drop());
    var failed = submit("fail", 1);
    BoundedWaits.get(failed.result());
    open(Map.of("history.types.fail.failed", "drop"));
    var dropped = submit("fail", 2);
    BoundedWaits.get(dropped.result());

    open(drop());

    var jobs = BoundedWaits.get(handoff.jobs(JobFilter.ALL, Optional.empty(), 10)).jobs();
    assertThat(jobs).map(JobInfo::id).isEqualTo(List.of(failed.id()));
  }
}
