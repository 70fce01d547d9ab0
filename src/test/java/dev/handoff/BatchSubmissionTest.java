package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.job.JobStatus;
import dev.handoff.job.Json;
import dev.handoff.store.Batch;
import dev.handoff.store.Store;
import dev.handoff.store.WriteResult;
import dev.handoff.testing.Home;
import dev.handoff.testing.Soon;
import dev.handoff.testing.StoreAround;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Jobs that are submitted together")
class BatchSubmissionTest {

  private static final String POISON = "poison";

  private final Home home = Home.of(Home.Kind.FILE);
  private final AtomicInteger writes = new AtomicInteger();
  private Handoff handoff;

  /// Counts what is written, and refuses what holds a certain word.
  private final class Watching extends StoreAround {
    Watching(Store inner) {
      super(inner);
    }

    @Override
    public CompletionStage<WriteResult> write(Batch batch) {
      writes.incrementAndGet();
      var words = new String(batch.facts(), StandardCharsets.ISO_8859_1);
      return words.contains(POISON)
          ? CompletableFuture.completedStage(new WriteResult.Refused("poisoned"))
          : super.write(batch);
    }
  }

  @BeforeEach
  void start() {
    handoff =
        Handoff.builder()
            .store(home.store())
            .around(Watching::new)
            .partitions(2)
            .handler("t", Json.class, (payload, job) -> payload)
            .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private static JobRequest job(int number) {
    return JobRequest.of("t", "payload " + number);
  }

  private static List<JobRequest> jobs(int count) {
    return IntStream.range(0, count).mapToObj(BatchSubmissionTest::job).toList();
  }

  private List<Submission> submit(List<JobRequest> requests) {
    return Soon.get(handoff.submit(requests));
  }

  private static JobHandle accepted(Submission answer) {
    return ((Submission.Accepted) answer).handle();
  }

  private static String result(JobHandle job) {
    return ((Outcome.Succeeded) Soon.get(job.result())).value().toString();
  }

  @Test
  void areAnsweredInTheirOrderAndRun() {
    var answers = submit(jobs(500));

    for (int i = 0; i < 500; i++) {
      assertThat(result(accepted(answers.get(i)))).contains("payload " + i + "\"");
    }
  }

  @Test
  void areOneAppendForEachPartition() {
    Soon.get(handoff.queues().pause("default"));
    writes.set(0);

    var answers = submit(jobs(500));

    assertThat(answers).hasSize(500).allMatch(Submission.Accepted.class::isInstance);
    assertThat(writes).hasValue(2);
    // A job is accepted before its dispatcher has heard of it.
    Soon.until(
        "all of them are queued",
        () -> Soon.get(handoff.queues().list()).getFirst().queued() == 500);
  }

  @Test
  void areAcceptedOrRefusedEachOnItsOwn() {
    var known = handoff.submitOrThrow(job(1).key("known"));

    var answers =
        submit(
            List.of(
                job(0),
                JobRequest.of("nobody knows it"),
                job(1).key("known"),
                job(2).key("known"),
                job(3).key("new"),
                job(3).key("new"),
                job(4).maxAttempts(0),
                job(5)));

    assertThat(answers.get(0)).isInstanceOf(Submission.Accepted.class);
    assertThat(answers.get(1)).isInstanceOf(Submission.UnknownType.class);
    assertThat(((Submission.Existing) answers.get(2)).handle().id()).isEqualTo(known.id());
    assertThat(answers.get(3)).isInstanceOf(Submission.KeyConflict.class);
    assertThat(answers.get(4)).isInstanceOf(Submission.Accepted.class);
    assertThat(((Submission.Existing) answers.get(5)).handle().id())
        .isEqualTo(accepted(answers.get(4)).id());
    assertThat(answers.get(6)).isInstanceOf(Submission.Invalid.class);
    assertThat(result(accepted(answers.get(7)))).contains("payload 5");
  }

  @Test
  void doNotSufferFromOneThatTheStoreRefuses() {
    var requests =
        IntStream.range(0, 50)
            .mapToObj(i -> i == 17 ? JobRequest.of("t", POISON) : job(i))
            .toList();

    var answers = submit(requests);

    for (int i = 0; i < 50; i++) {
      assertThat(answers.get(i))
          .as("job " + i)
          .isInstanceOf(i == 17 ? Submission.Refused.class : Submission.Accepted.class);
    }
  }

  @Test
  void areSplitIfTheyAreTooLargeForOneAppend() {
    var large = JobRequest.of("t", "x".repeat(200 * 1024));

    var answers = submit(IntStream.range(0, 60).mapToObj(i -> large).toList());

    assertThat(answers).hasSize(60).allMatch(Submission.Accepted.class::isInstance);
  }

  @Test
  void areThereAfterARestart() {
    Soon.get(handoff.queues().pause("default"));
    submit(jobs(100));
    handoff.close();

    start();

    var queued = new JobFilter(JobStatus.QUEUED, null, null, null, null);
    assertThat(Soon.get(handoff.jobs(queued, Optional.empty(), 200)).jobs()).hasSize(100);
  }

  @Test
  void areAnsweredWhenTheEngineHasEnded() {
    handoff.close();

    assertThat(submit(jobs(3))).hasSize(3).allMatch(Submission.Unavailable.class::isInstance);
  }

  @Test
  void mayBeNone() {
    assertThat(submit(List.of())).isEmpty();
  }

  @Test
  void fromAStreamAreAcceptedInTheirOrder() {
    var accepted =
        Source.from(jobs(3_000))
            .via(handoff.submitAll())
            .runWith(Sink.seq(), handoff.materializer());

    var jobs = Soon.get(accepted);

    assertThat(jobs).hasSize(3_000);
    assertThat(result(jobs.get(0).handle())).contains("payload 0\"");
    assertThat(result(jobs.get(1_234).handle())).contains("payload 1234\"");
    assertThat(result(jobs.get(2_999).handle())).contains("payload 2999\"");
  }
}
