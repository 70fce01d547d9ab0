package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.handoff.internal.facade.JobView;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.ClaimingWorker;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobOrigin;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.Progress;
import dev.handoff.json.JobJson;
import dev.handoff.testing.JacksonMappers;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What is known of a job")
class JobInfoTest {

  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final JobId ID = new JobId("01M7QA29F8201SE11P2AY4J500");
  private static final String PLAN = "01M7QA29F8201SE11P2AY4J501";
  private static final ClaimingWorker WORKER = new ClaimingWorker(new PoolId("node"), "worker-1");

  private static final JobSpec SPEC =
      new JobSpec(
          "thumbnail",
          Json.of("{\"file\":\"a.png\"}"),
          "images",
          7,
          "a.png",
          NOW.minusSeconds(5),
          new JobOptions(
              Duration.ofSeconds(90),
              Duration.ofSeconds(10),
              5,
              JobOptions.DEFAULT.backoff(),
              Map.of("team", "web")),
          JobOrigin.step(PLAN, "resize"));

  private static JobState submitted() {
    return JobState.create(ID, new JobFact.Submitted(SPEC, NOW, false));
  }

  private static JobState triedOnce() {
    var failed =
        new JobFact.AttemptEnd(
            1,
            EndCause.TIMED_OUT,
            new JobError("TimeoutException", "too slow", "at a.b.C"),
            true,
            false,
            new AttemptNotes(List.of("a line"), new Progress(0.5, "half")),
            NOW.plusSeconds(3));
    return submitted()
        .apply(new JobFact.Claimed(1, WORKER, NOW.plusSeconds(1)))
        .apply(new JobFact.Started(1, NOW.plusSeconds(2)))
        .apply(new JobFact.RetryScheduled(failed, NOW.plusSeconds(60)));
  }

  @Test
  void isInPlainValues() {
    var job = JobView.of(triedOnce(), NOW.plusSeconds(4));

    assertThat(job.id()).isEqualTo(ID);
    assertThat(job.type()).isEqualTo("thumbnail");
    assertThat(job.queue()).isEqualTo("images");
    assertThat(job.priority()).isEqualTo(7);
    assertThat(job.key()).contains("a.png");
    assertThat(job.status()).isEqualTo(JobStatus.SCHEDULED);
    assertThat(job.attempt()).isEqualTo(1);
    assertThat(job.starts()).isEqualTo(1);
    assertThat(job.maxAttempts()).isEqualTo(5);
    assertThat(job.payload()).isEqualTo(Json.of("{\"file\":\"a.png\"}"));
    assertThat(job.result()).isEmpty();
    assertThat(job.error()).get().extracting(JobError::message).isEqualTo("too slow");
    assertThat(job.cause()).isEmpty();
    assertThat(job.progress()).contains(new JobInfo.Progress(0.5, "half"));
    assertThat(job.worker()).isEmpty();
    assertThat(job.plan()).get().hasToString(PLAN);
    assertThat(job.step()).contains("resize");
    assertThat(job.parent()).isEmpty();
    assertThat(job.labels()).isEqualTo(Map.of("team", "web"));
    assertThat(job.timeout()).contains(Duration.ofSeconds(90));
    assertThat(job.heartbeatTimeout()).contains(Duration.ofSeconds(10));
    assertThat(job.createdAt()).isEqualTo(NOW);
    assertThat(job.runAt()).contains(NOW.minusSeconds(5));
    assertThat(job.nextRunAt()).contains(NOW.plusSeconds(60));
    assertThat(job.startedAt()).contains(NOW.plusSeconds(2));
    assertThat(job.finishedAt()).isEmpty();
    assertThat(job.cancel()).isEmpty();
    assertThat(job.attempts())
        .singleElement()
        .satisfies(
            attempt -> {
              assertThat(attempt.attempt()).isEqualTo(1);
              assertThat(attempt.worker()).isEqualTo("node/worker-1");
              assertThat(attempt.claimedAt()).isEqualTo(NOW.plusSeconds(1));
              assertThat(attempt.startedAt()).contains(NOW.plusSeconds(2));
              assertThat(attempt.endedAt()).isEqualTo(NOW.plusSeconds(3));
              assertThat(attempt.outcome()).isEqualTo(JobInfo.AttemptOutcome.TIMED_OUT);
              assertThat(attempt.error()).isPresent();
              assertThat(attempt.abandoned()).isTrue();
              assertThat(attempt.late()).isEmpty();
            });
    assertThat(job.history())
        .extracting(JobInfo.HistoryEntry::what)
        .containsExactly("submitted", "claimed", "started", "timed-out");
    assertThat(job.log()).containsExactly("a line");
    assertThat(job.children()).isEmpty();
    assertThat(job.seenAt()).isEqualTo(NOW.plusSeconds(4));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 11})
  void tellsOfACancelInTheOrderInWhichItHappened(int millis) {
    var request = new JobPhase.CancelRequest("no use", "me", NOW.plusSeconds(2));
    var end = request.at().plusMillis(millis);
    var over =
        submitted()
            .apply(new JobFact.Claimed(1, WORKER, NOW))
            .apply(new JobFact.Started(1, NOW.plusSeconds(1)))
            .apply(new JobFact.CancelRequested(request))
            .apply(new JobFact.Cancelled(request, false, false, List.of(), AttemptNotes.NONE, end));

    var history = JobView.of(over, NOW).history();

    assertThat(history)
        .extracting(JobInfo.HistoryEntry::what)
        .containsExactly(
            "submitted", "claimed", "started", "cancel-requested", "cancelled", "cancelled");
    assertThat(history.get(4).attempt()).hasValue(1);
    assertThat(history).isSortedAccordingTo(Comparator.comparing(JobInfo.HistoryEntry::at));
  }

  @Test
  void namesWhoRunsItAndWhoWantsItToEnd() {
    var running =
        submitted()
            .apply(new JobFact.Claimed(1, WORKER, NOW))
            .apply(new JobFact.Started(1, NOW.plusSeconds(1)))
            .apply(new JobFact.CancelRequested(new JobPhase.CancelRequest("no use", "me", NOW)));

    var job = JobView.of(running, NOW);

    assertThat(job.status()).isEqualTo(JobStatus.CANCELLING);
    assertThat(job.worker()).contains("worker-1");
    assertThat(job.node()).contains("node");
    assertThat(job.startedAt()).contains(NOW.plusSeconds(1));
    assertThat(job.cancel()).contains(new JobInfo.Cancel("no use", "me", NOW, false, false));
  }

  @ParameterizedTest
  @EnumSource
  void isTheSameJsonAsOnTheCommandLine(JacksonMappers mapper) {
    for (var state : List.of(submitted(), triedOnce(), succeeded("{\"a\":[1.50,null]}"))) {
      var job = JobView.of(state, NOW.plusSeconds(9));

      var json = (ObjectNode) JacksonMappers.tree(mapper.write(job));

      assertThat(json.remove("seenAt").textValue()).isEqualTo("2030-01-01T00:00:09Z");
      assertThat(json).isEqualTo(JacksonMappers.tree(job.toJson()));
      assertThat(json).isEqualTo(JacksonMappers.tree(JobJson.write(job).toString()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void isReadBackFromJson(JacksonMappers mapper) {
    for (var state : List.of(submitted(), triedOnce(), succeeded("[1]"), succeeded("null"))) {
      var job = JobView.of(state, NOW);

      assertThat(mapper.read(mapper.write(job), JobInfo.class)).isEqualTo(job);
    }
  }

  @Test
  void hasAWordForEachEndOfAnAttempt() {
    assertThat(
            Arrays.stream(EndCause.values())
                .map(JobView::outcome)
                .map(JobInfo.AttemptOutcome::label))
        .containsExactlyElementsOf(Arrays.stream(EndCause.values()).map(EndCause::label).toList());
    assertThat(JobView.outcome(null)).isEqualTo(JobInfo.AttemptOutcome.SUCCEEDED);
    assertThat(JobInfo.AttemptOutcome.values()).hasSize(EndCause.values().length + 1);
  }

  private static JobState succeeded(String result) {
    return submitted()
        .apply(new JobFact.Claimed(1, WORKER, NOW))
        .apply(new JobFact.Started(1, NOW))
        .apply(new JobFact.Succeeded(1, Json.of(result), AttemptNotes.NONE, NOW, null));
  }
}
