package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.handoff.JobError;
import dev.handoff.Json;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.ChildJob;
import dev.handoff.internal.job.ClaimingWorker;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.PoolId;
import dev.handoff.testing.SealedKinds;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An event")
class EngineEventTest {

  private static final Instant NOW = JobSamples.NOW;
  private static final JobError ERROR = JobError.of("io", "no route to host");
  private static final JobPhase.CancelRequest REQUEST =
      new JobPhase.CancelRequest("a mistake", "me", NOW);
  private static final JobFact.AttemptEnd END =
      new JobFact.AttemptEnd(1, EndCause.FAILED, ERROR, false, false, AttemptNotes.NONE, NOW);

  static Stream<Arguments> facts() {
    return Stream.of(
        arguments(new JobFact.Submitted(JobSamples.spec(), NOW, false), "submitted", null),
        arguments(new JobFact.Released(NOW), "released", null),
        arguments(
            new JobFact.Claimed(1, new ClaimingWorker(new PoolId("p"), "w"), NOW),
            "claimed",
            "p/w"),
        arguments(new JobFact.Started(1, NOW), "started", null),
        arguments(
            new JobFact.Returned(1, EndCause.SHUTDOWN, AttemptNotes.NONE, NOW),
            "returned",
            "shutdown"),
        arguments(
            new JobFact.Postponed(1, NOW.plusSeconds(60), AttemptNotes.NONE, NOW),
            "postponed",
            "until " + NOW.plusSeconds(60)),
        arguments(new JobFact.Succeeded(1, Json.NULL, AttemptNotes.NONE, NOW), "succeeded", null),
        arguments(
            new JobFact.RetryScheduled(END, NOW), "retry-scheduled", "failed: no route to host"),
        arguments(new JobFact.Failed(END), "failed", "failed: no route to host"),
        arguments(
            new JobFact.StopRequested(1, JobPhase.StopCause.TIMEOUT, NOW),
            "stop-requested",
            "timeout"),
        arguments(new JobFact.CancelRequested(REQUEST), "cancel-requested", "a mistake"),
        arguments(new JobFact.AttemptStopped(END), "attempt-stopped", null),
        arguments(
            new JobFact.Cancelled(REQUEST, false, false, List.of(), AttemptNotes.NONE, NOW),
            "cancelled",
            "a mistake"),
        arguments(
            new JobFact.Reopened(JobSamples.state(JobSamples.spec()), "me", NOW),
            "reopened",
            "by me"),
        arguments(new JobFact.Checkpointed(1, Json.NULL), "checkpointed", null),
        arguments(new JobFact.Noted(1, AttemptNotes.NONE), "noted", null),
        arguments(
            new JobFact.ChildAdded(new ChildJob(JobSamples.newId(0), "k", "f")),
            "child-added",
            null),
        arguments(
            new JobFact.LateReport(1, "returned a result", NOW),
            "late-report",
            "returned a result"));
  }

  @ParameterizedTest(name = "of {1}")
  @MethodSource("facts")
  void ofAFactHasItsNameAndWhatThereIsToSay(JobFact fact, String name, String detail) {
    var job = JobSamples.state(JobSamples.spec());

    var event = EngineEvent.of(7, fact, job, NOW);

    assertThat(event.number()).isEqualTo(7);
    assertThat(event.name()).isEqualTo(name);
    assertThat(event.detail()).isEqualTo(detail);
    assertThat(event.job()).isEqualTo(job.id());
  }

  @Test
  void isToldOfEveryKindOfFact() {
    var tried = new HashSet<Class<?>>();
    facts().forEach(fact -> tried.add(fact.get()[0].getClass()));

    assertThat(tried).containsExactlyInAnyOrderElementsOf(SealedKinds.of(JobFact.class));
  }

  @Test
  void isSmallWhateverWentWrong() {
    var error = JobError.of("io", "no ".repeat(1_000));
    var end =
        new JobFact.AttemptEnd(1, EndCause.FAILED, error, false, false, AttemptNotes.NONE, NOW);

    var event =
        EngineEvent.of(1, new JobFact.Failed(end), JobSamples.state(JobSamples.spec()), NOW)
            .detail();

    assertThat(event).startsWith("failed: no no no").hasSizeLessThan(520);
  }
}
