package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobStatus;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.job.EndCause;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A service that is killed")
@DisabledOnOs(OS.WINDOWS)
class KillTest {

  @TempDir Path directory;
  private ServiceProcesses services;

  @BeforeEach
  void prepare() {
    services = ServiceProcesses.in(directory);
  }

  @AfterEach
  void stop() {
    services.close();
  }

  /// The most important points; the stress tests cover the rest.
  @Test
  void keepsEveryPromiseWhenItDiesBeforeOrAfterACommit() {
    var points =
        List.of(
            "after:submitted:5",
            "after:claimed:5",
            "before:succeeded:5",
            "after:cancel-requested:1");

    var evidence = KillPatterns.at(points, services);

    assertThat(RunFindings.violations(evidence)).isEmpty();
    assertThat(evidence.count(EndCause.WORKER_LOST)).isPositive();
    // Guards against a run without work; how many jobs one commit takes depends on the machine.
    assertThat(evidence.count(What.ACCEPTED)).isGreaterThan(50);
  }

  @Test
  void byItsOwnJobFailsThatJobAfterItsAttemptsAndNoOther() {
    for (int start = 1; start <= 2; start++) {
      var poisoned = services.start("keys=poison-1..1,run" + start + "-0..20");
      assertThat(poisoned.exitCode()).isEqualTo(ChaosJobs.POISON_EXIT_CODE);
    }

    var evidence = services.finish();

    assertThat(RunFindings.violations(evidence)).isEmpty();
    var poison =
        evidence.jobs().values().stream()
            .filter(job -> job.spec().type().equals("poison"))
            .findFirst()
            .orElseThrow();
    assertThat(poison.status(poison.createdAt())).isEqualTo(JobStatus.FAILED);
    assertThat(poison.starts()).isEqualTo(2);
    assertThat(poison.trail().attempts())
        .allSatisfy(attempt -> assertThat(attempt.cause()).isEqualTo(EndCause.WORKER_LOST))
        .hasSize(2);
  }

  /// The store withholds the batch, the engine acknowledges it, and the process is killed.
  @ParameterizedTest
  @CsvSource({"submitted, ACCEPTED, I1", "claimed, BEGIN, I8", "succeeded, ENDED, I6"})
  void isSeenToBreakAPromiseWhereItAcknowledgesBeforeTheCommit(
      String fact, What word, String invariant) {
    var careless = services.start("keys=long-1..10", "without=" + fact);
    if (word == What.ENDED) {
      careless.await(What.BEGIN, 10);
      careless.tell("release");
    }
    careless.await(word, 1);
    careless.kill();

    var evidence = services.finish();

    assertThat(RunFindings.violations(evidence))
        .anyMatch(violation -> violation.matches("(?s)" + invariant + "[ :].*"));
  }
}
