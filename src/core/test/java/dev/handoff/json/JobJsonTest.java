package dev.handoff.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.facade.JobView;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.ClaimingWorker;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PoolId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A job as JSON")
class JobJsonTest {

  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final ClaimingWorker WORKER = new ClaimingWorker(new PoolId("node"), "worker-1");

  @Test
  void hasNotStartedAgainBeforeItsHandlerIsCalledAgain() {
    var failed =
        new JobFact.AttemptEnd(
            1, EndCause.FAILED, JobError.of("e", "no"), false, false, AttemptNotes.NONE, NOW);
    var waiting =
        submitted()
            .apply(new JobFact.Claimed(1, WORKER, NOW))
            .apply(new JobFact.Started(1, NOW))
            .apply(new JobFact.RetryScheduled(failed, NOW));
    var claimed = waiting.apply(new JobFact.Claimed(2, WORKER, NOW.plusSeconds(1)));
    var running = claimed.apply(new JobFact.Started(2, NOW.plusSeconds(2)));

    assertThat(startedAt(waiting)).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(startedAt(claimed)).isNull();
    assertThat(startedAt(running)).isEqualTo("2030-01-01T00:00:02Z");
  }

  @Test
  void tellsWhoOpenedItAgain() {
    var failed =
        new JobFact.AttemptEnd(
            1, EndCause.FAILED, JobError.of("e", "no"), false, false, AttemptNotes.NONE, NOW);
    var over =
        submitted()
            .apply(new JobFact.Claimed(1, WORKER, NOW))
            .apply(new JobFact.Started(1, NOW))
            .apply(new JobFact.Failed(failed));
    var again = over.apply(new JobFact.Reopened(over, "anna", NOW.plusSeconds(1)));
    var running = again.apply(new JobFact.Claimed(2, WORKER, NOW.plusSeconds(2)));

    assertThat(history(again))
        .containsExactly("submitted", "claimed", "started", "failed", "reopened by anna");
    assertThat(history(running))
        .containsExactly(
            "submitted", "claimed", "started", "failed", "reopened by anna", "claimed");
  }

  private static JobState submitted() {
    return JobState.create(
        new JobId("01M7QA29F8201SE11P2AY4J500"),
        new JobFact.Submitted(JobSpec.of("t", Json.NULL), NOW, false));
  }

  private static List<String> history(JobState state) {
    return JobJson.write(JobView.of(state, NOW))
        .get("history")
        .valueStream()
        .map(
            entry ->
                entry.get("what").textValue()
                    + (entry.has("by") ? " by " + entry.get("by").textValue() : ""))
        .toList();
  }

  private static String startedAt(JobState state) {
    return JobJson.write(JobView.of(state, NOW)).get("startedAt").textValue();
  }
}
