package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.Json;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.JobTrail;
import dev.handoff.testing.JobStates;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The summary of a run")
class RunSummaryTest {

  private static final JobId JOB = new JobId("01K9Z3N0W6000000000000000A");
  private static final RunHints HINTS =
      new RunHints(Optional.of("jobs.ndjson"), "", " --data d", "");
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void saysWhatIsLeftWhenItWasToldToStop() {
    var counts = new RunCounts(10, 0);

    assertThat(text(counts, new RunStop.Signal("TERM")))
        .startsWith("stopped by SIGTERM; 10 jobs are left");
    assertThat(text(counts, new RunStop.Broken("the engine went down: \u001btaken over")))
        .startsWith("stopped: the engine went down: \\u001btaken over\n");
  }

  @Test
  void hasAnExitCodeForEachWayToEnd() {
    assertThat(exitCode(0, null)).isEqualTo(ExitCode.OK);
    assertThat(exitCode(1, null)).isEqualTo(ExitCode.REFUSED);
    assertThat(exitCode(0, new RunStop.Signal("TERM"))).isEqualTo(ExitCode.TERMINATED);
    assertThat(exitCode(0, new RunStop.Signal("HUP"))).isEqualTo(ExitCode.TERMINATED);
    assertThat(exitCode(0, new RunStop.Signal("INT"))).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(exitCode(0, new RunStop.MaxFailures(1))).isEqualTo(ExitCode.FAILED);
    assertThat(exitCode(0, new RunStop.Broken("x"))).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void hasTheExitCodeOfItsJobsWhenASignalLeftNoWork() {
    for (var signal : List.of("TERM", "INT", "HUP")) {
      assertThat(exitCode(1, new RunStop.Signal(signal))).isEqualTo(ExitCode.REFUSED);
      assertThat(
              new RunSummary(new RunCounts(0, 0), new RunStop.Signal(signal), Duration.ZERO, HINTS)
                  .exitCode())
          .isEqualTo(ExitCode.OK);
    }
  }

  @Test
  void showsTheFirstProblemsOnly() {
    var counts = new RunCounts(100, 0);
    for (int line = 1; line <= 30; line++) {
      counts.refused(line, "no");
    }

    assertThat(text(counts, null).lines())
        .hasSize(12)
        .last()
        .asString()
        .contains("…", "handoff list --status failed --data d");
  }

  @Test
  void countsWhatWasCancelled() {
    var counts = new RunCounts(1, 0);

    counts.ended(7, cancelled(), false);

    assertThat(text(counts, null))
        .contains("1 job: 0 succeeded, 1 cancelled")
        .contains("line 7: cancelled (" + JOB + "): not needed");
    assertThat(new RunSummary(counts, null, Duration.ZERO, HINTS).exitCode())
        .isEqualTo(ExitCode.FAILED);
    assertThat(text(counts, new RunStop.Signal("TERM")))
        .startsWith("stopped by SIGTERM; nothing was left to do");
  }

  @Test
  void tellsWhatAnEarlierRunHadAccepted() {
    var counts = new RunCounts(3, 0);
    counts.accepted(true);
    assertThat(text(counts, null)).contains("1 of them had been accepted before\n");

    counts.ended(1, cancelled(), true);
    assertThat(text(counts, null)).contains("accepted before, 1 had ended in an earlier run\n");
  }

  private static JobInfo cancelled() {
    var request = new JobPhase.CancelRequest("not needed", "me", NOW);
    var phase = new JobPhase.Cancelled(request, false, false, List.of(), NOW);
    var spec = JobSpec.of("t", Json.NULL);
    return JobStates.info(new JobState(JOB, spec, NOW, 2, 0, 0, phase, JobTrail.NONE), NOW);
  }

  @Test
  void tellsAStopInJson() {
    var json =
        new RunSummary(
                new RunCounts(3, 0), new RunStop.MaxFailures(2), Duration.ofMillis(1_500), HINTS)
            .json();

    assertThat(json.get("stopped").textValue()).isEqualTo("max-failures");
    assertThat(json.get("unfinished").intValue()).isEqualTo(3);
    assertThat(json.get("seconds").doubleValue()).isEqualTo(1.5);
    assertThat(new RunStop.Signal("INT").label()).isEqualTo("SIGINT");
    assertThat(new RunStop.Broken("why").label()).isEqualTo("why");
  }

  @Test
  void putsExceptionsIntoWords() {
    assertThat(ErrorText.of(new NoSuchFileException("a"))).isEqualTo("a does not exist");
    assertThat(ErrorText.of(new AccessDeniedException("a"))).isEqualTo("a may not be accessed");
    assertThat(ErrorText.of(new CompletionException(new IOException("no room"))))
        .isEqualTo("no room");
    assertThat(ErrorText.of(new IllegalStateException())).isEqualTo("IllegalStateException");
  }

  private static String text(RunCounts counts, @Nullable RunStop stop) {
    return new RunSummary(counts, stop, Duration.ofSeconds(1), HINTS).text();
  }

  private static int exitCode(int refused, @Nullable RunStop stop) {
    var counts = new RunCounts(1, 0);
    for (int i = 0; i < refused; i++) {
      counts.refused(1, "no");
    }
    return new RunSummary(counts, stop, Duration.ZERO, HINTS).exitCode();
  }
}
