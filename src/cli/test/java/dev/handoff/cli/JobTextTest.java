package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.ChildJob;
import dev.handoff.internal.job.ClaimingWorker;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.Progress;
import dev.handoff.testing.JobStates;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A job as text")
class JobTextTest {

  private static final JobId ID = new JobId("01M7QA29F8201SE11P2AY4J500");
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final ClaimingWorker WORKER = new ClaimingWorker(new PoolId("node"), "worker-1");
  private static final JobPhase.CancelRequest REQUEST =
      new JobPhase.CancelRequest("too\u001b late", "ops", NOW);

  @Test
  void saysWhatItIsDoing() {
    var text =
        shown(
            new JobFact.Claimed(1, WORKER, NOW),
            new JobFact.Started(1, NOW),
            new JobFact.Noted(
                1, new AttemptNotes(List.of("first\u001bline"), new Progress(0.25, "a quarter"))));

    assertThat(text)
        .contains("status      running when its process ended: the next engine detects that\n")
        .contains("progress    25 %, a quarter\n")
        .contains("  1  running since ")
        .contains("on node/worker-1\n")
        .contains("log\n  first\\u001bline\n");
    assertThat(shown(new JobFact.Claimed(1, WORKER, NOW)))
        .contains("  1  claimed  on node/worker-1\n");
  }

  @Test
  void saysThatItIsBeingCancelled() {
    var running = List.of(new JobFact.Claimed(1, WORKER, NOW), new JobFact.Started(1, NOW));

    assertThat(shown(running.get(0), running.get(1), new JobFact.CancelRequested(REQUEST)))
        .contains("status      cancelling\n")
        .endsWith("being cancelled\n  by ops: too\\u001b late\n");
    assertThat(
            shown(
                running.get(0),
                running.get(1),
                new JobFact.StopRequested(1, JobPhase.StopCause.TIMEOUT, NOW)))
        .doesNotContain("being cancelled");
  }

  @Test
  void saysHowItWasCancelled() {
    var text =
        shown(
            new JobFact.Claimed(1, WORKER, NOW),
            new JobFact.CancelRequested(REQUEST),
            new JobFact.Cancelled(REQUEST, true, true, List.of(), AttemptNotes.NONE, NOW));

    assertThat(text)
        .contains("cancelled before its handler was called")
        .contains("(abandoned: its code may still run)")
        .endsWith(
            "cancelled\n"
                + "  by ops: too\\u001b late\n"
                + "  abandoned: its code may still run\n"
                + "  a result that came later was discarded\n");
    assertThat(
            shown(new JobFact.Cancelled(REQUEST, false, false, List.of(), AttemptNotes.NONE, NOW)))
        .endsWith("cancelled\n  by ops: too\\u001b late\n");
  }

  @Test
  void saysWhatCameTooLate() {
    var text =
        shown(
            new JobFact.Claimed(1, WORKER, NOW),
            new JobFact.Started(1, NOW),
            new JobFact.Failed(
                new JobFact.AttemptEnd(
                    1,
                    EndCause.TIMED_OUT,
                    JobError.of("timed-out", "over"),
                    false,
                    false,
                    AttemptNotes.NONE,
                    NOW)),
            new JobFact.LateReport(1, "succeeded", NOW));

    assertThat(text).contains("timed-out after 0ms  over  (late: succeeded)  on node/worker-1");
  }

  @Test
  void showsAStackTraceWhereThereIsOne() {
    var error = JobError.of(new IllegalStateException("broken"));

    var text =
        shown(
            new JobFact.Claimed(1, WORKER, NOW),
            new JobFact.Failed(
                new JobFact.AttemptEnd(
                    1, EndCause.FAILED, error, false, false, AttemptNotes.NONE, NOW)));

    assertThat(text)
        .contains(
            "error\n  java.lang.IllegalStateException: broken\n  \tat dev.handoff.cli.JobTextTest");
  }

  @Test
  void namesItsChildren() {
    var child = new JobId("01M7QA29F8201SE11P2AY4J501");

    var text =
        shown(
            new JobFact.Claimed(1, WORKER, NOW),
            new JobFact.ChildAdded(new ChildJob(child, null, "x")));

    assertThat(text).contains("children    " + child + "\n");
  }

  @Test
  void hasAReasonForItsEndInAFewWords() {
    var lost =
        new JobFact.AttemptEnd(
            1,
            EndCause.WORKER_LOST,
            JobError.of("worker-lost", "gone"),
            false,
            false,
            AttemptNotes.NONE,
            NOW);

    assertThat(
            JobEndText.reason(job(new JobFact.Claimed(1, WORKER, NOW), new JobFact.Failed(lost))))
        .isEqualTo("worker-lost: gone");
    assertThat(
            JobEndText.reason(
                job(
                    new JobFact.Cancelled(
                        REQUEST, true, false, List.of(), AttemptNotes.NONE, NOW))))
        .isEqualTo("too\u001b late (abandoned)");
    var running = new JobFact[] {new JobFact.Claimed(1, WORKER, NOW), new JobFact.Started(1, NOW)};
    Stream.of(
            job(),
            job(running[0]),
            job(running),
            job(running[0], running[1], new JobFact.CancelRequested(REQUEST)),
            job(
                running[0],
                running[1],
                new JobFact.Succeeded(1, Json.NULL, AttemptNotes.NONE, NOW)))
        .forEach(other -> assertThat(JobEndText.reason(other)).isEmpty());
  }

  @Test
  void hasAStyleForEachStatus() {
    assertThat(JobStatus.values())
        .allSatisfy(status -> assertThat(JobTable.styleOf(status)).isNotNull());
  }

  private static String shown(JobFact... facts) {
    return JobText.of(
        job(facts), new Screen(new PrintStream(new ByteArrayOutputStream()), TerminalSetup.NONE));
  }

  private static JobInfo job(JobFact... facts) {
    var state = JobState.create(ID, new JobFact.Submitted(JobSpec.of("x", Json.NULL), NOW, false));
    for (var fact : facts) {
      state = state.apply(fact);
    }
    return JobStates.info(state, NOW);
  }
}
