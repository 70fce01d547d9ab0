package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Cancelling.CancelRequestAnswer;
import dev.handoff.job.JobId;
import dev.handoff.job.JobStatus;
import dev.handoff.plan.PlanId;
import dev.handoff.testing.Soon;
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
                  var child = Soon.get(job.submit(JobRequest.of("double", number).key("child")));
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
    assertThat(Soon.get(handle.result())).isInstanceOf(Outcome.Succeeded.class);
    return handle.id();
  }

  @Test
  void tellTheirOutcomeToWhoeverWaitsForIt() {
    open(drop());
    var handle = submit("wait", 7);
    var result = handle.result();
    var info = handle.ended();

    go.countDown();

    assertThat(Soon.get(result)).isInstanceOf(Outcome.Succeeded.class);
    assertThat(Soon.get(info).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  /// A job takes a millisecond, and its handle is asked later.
  @Test
  void tellTheirOutcomeAlsoAMomentTooLate() {
    open(drop());
    var other = submit("wait", 1);
    var handle = submit("double", 7);
    Soon.until("it is over", () -> !Soon.get(handle.status()).status().equals(JobStatus.RUNNING));

    assertThat(Soon.get(handle.result())).isInstanceOf(Outcome.Succeeded.class);
    go.countDown();
    ended(other);
  }

  @Test
  void leaveNoRowAndAreNotKeptForWhoeverAsksLater() {
    open(drop());
    var dropped = ended(submit("double", 7));
    var kept = ended(submit("kept", 7));
    open(drop());

    var jobs = Soon.get(handoff.jobs(JobFilter.ALL, Optional.empty(), 10)).jobs();
    assertThat(jobs).map(JobInfo::id).containsExactly(kept);
    assertThat(Soon.get(handoff.job(kept))).isPresent();
    assertThatThrownBy(() -> handoff.job(dropped).toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(JobNotKeptException.class)
        .hasMessageContaining("was not kept");
    assertThatThrownBy(() -> handoff.handle(dropped).result().toCompletableFuture().join())
        .hasCauseInstanceOf(JobNotKeptException.class);
    assertThatThrownBy(() -> handoff.handle(dropped).status().toCompletableFuture().join())
        .hasCauseInstanceOf(JobNotKeptException.class);
    var cancelling = handoff.cancel(dropped, "late");
    assertThat(Soon.get(cancelling.requested())).isEqualTo(CancelRequestAnswer.NOT_KEPT);
    assertThat(Soon.get(cancelling.ended())).isEqualTo(new CancelReport.NotKept(dropped));
    assertThat(Soon.get(handoff.retry(dropped, "me"))).isEqualTo(new RetryAnswer.NotKept(dropped));
  }

  /// Somebody else may have their key by then.
  @Test
  void areNotOpenedAgainEvenIfTheyHaveOnlyJustEnded() {
    open(Map.of("history.failed", "drop"));
    var failed = submit("fail", 7);
    assertThat(Soon.get(failed.result())).isInstanceOf(Outcome.Failed.class);

    var answer = Soon.get(handoff.retry(failed.id(), "me"));

    assertThat(answer).isEqualTo(new RetryAnswer.NotKept(failed.id()));
  }

  @Test
  void areNotFoundWhereNothingWasEverDropped() {
    open(Map.of());
    var none = new JobId("01M7QA29F8201SE11P2AY4J500");

    assertThat(Soon.get(handoff.job(none))).isEmpty();
    assertThat(Soon.get(handoff.retry(none, "me"))).isEqualTo(new RetryAnswer.NotFound(none));
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
    assertThat(Soon.get(handoff.retry(dropped, "me"))).isEqualTo(new RetryAnswer.NotKept(dropped));
  }

  @Test
  void keepTheirKeysForAsLongAsTheyShould() {
    open(drop());
    var request = JobRequest.of("double", 7).key("k");
    var first = ended(handoff.submitOrThrow(request));
    for (int round = 0; round < 2; round++) {
      assertThat(Soon.get(handoff.submit(request)))
          .isInstanceOfSatisfying(
              Submission.Existing.class, it -> assertThat(it.handle().id()).isEqualTo(first));
      assertThat(Soon.get(handoff.submit(JobRequest.of("double", 8).key("k"))))
          .isEqualTo(new Submission.KeyConflict("k", first));
      open(drop());
    }

    open(Map.of("history.succeeded", "drop", "history.key-retention", "0s"));

    Soon.until(
        "its key is free", () -> Soon.get(handoff.submit(request)) instanceof Submission.Accepted);
  }

  /// Or longer than others: each type has its own retention, if it wants one.
  @Test
  void areForgottenSoonerWhereTheirTypeSaysSo() {
    open(Map.of());
    var first = ended(submit("double", 1));
    var other = ended(submit("kept", 1));

    open(Map.of("history.types.double.retention", "0s"));
    Soon.until("it is forgotten", () -> Soon.get(handoff.job(first)).isEmpty());
    assertThat(Soon.get(handoff.job(other))).isPresent();
    var next = ended(submit("double", 2));

    open(Map.of("history.retention", "0s", "history.types.double.retention", "30d"));
    Soon.until("all others are", () -> Soon.get(handoff.job(other)).isEmpty());
    assertThat(Soon.get(handoff.job(next))).isPresent();
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
    Soon.get(plan.ended());

    var jobs = Soon.get(handoff.jobs(JobFilter.ALL, Optional.empty(), 10)).jobs();
    assertThat(jobs).map(JobInfo::type).containsOnly("double").hasSize(3);
  }

  /// The job of a step may be forgotten, but it was never dropped.
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
    Soon.until("b runs", () -> stepJob(plan.id(), 1).filter(job -> job.attempt() > 0).isPresent());

    open(Map.of("history.succeeded", "drop", "history.retention", "0s"));

    Soon.until("a is forgotten", () -> stepJob(plan.id(), 0).isEmpty());
    go.countDown();
    assertThat(Soon.get(handoff.plans().plan(plan.id()).ended()).steps()).hasSize(2);
  }

  private Optional<JobInfo> stepJob(PlanId plan, int step) {
    return Soon.get(handoff.plans().plan(plan).info()).orElseThrow().steps().get(step).info();
  }

  @Test
  void areKeptIfTheyFailUnlessThatIsDroppedToo() {
    open(drop());
    var failed = submit("fail", 1);
    Soon.get(failed.result());
    open(Map.of("history.types.fail.failed", "drop"));
    var dropped = submit("fail", 2);
    Soon.get(dropped.result());

    open(drop());

    var jobs = Soon.get(handoff.jobs(JobFilter.ALL, Optional.empty(), 10)).jobs();
    assertThat(jobs).map(JobInfo::id).isEqualTo(List.of(failed.id()));
  }
}
