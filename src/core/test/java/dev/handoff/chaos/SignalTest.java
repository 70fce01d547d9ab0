package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobStatus;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobState;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A service that gets a signal")
@DisabledOnOs(OS.WINDOWS)
class SignalTest {

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

  @Test
  void losesNothingAndStartsNothingAgainWhileItIsStoppedForLongerThanAnyLease() {
    var service = FrozenServices.start(services);

    FrozenServices.freeze(service, 2);
    var evidence = services.finish(service);

    assertThat(RunFindings.violations(evidence)).isEmpty();
    assertThat(evidence.count(EndCause.WORKER_LOST)).isZero();
    assertThat(evidence.count(EndCause.HEARTBEAT_LOST)).isZero();
    assertThat(longJobs(evidence)).hasSize(3).allMatch(job -> job.attempt() == 1);
  }

  @Test
  void drainsAndPutsBackWhatDoesNotEndAndThatCostsNoAttempt() {
    var service = services.start("keys=long-1..3,run0-0..399");
    service.await(What.UP, 1);
    service.await(What.BEGIN, 40);

    service.signal("TERM");

    assertThat(service.exitCode()).isZero();
    var evidence = services.evidence();
    assertThat(evidence.journal()).anyMatch(line -> line.what() == What.CLOSED);
    assertThat(longJobs(evidence))
        .hasSize(3)
        .allSatisfy(
            job -> {
              assertThat(job.status(job.createdAt().plusSeconds(60))).isEqualTo(JobStatus.QUEUED);
              assertThat(job.starts()).isZero();
              assertThat(job.trail().attempts().getFirst().cause()).isEqualTo(EndCause.SHUTDOWN);
            });
    assertThat(evidence.jobs().values()).anyMatch(JobState::ended);

    assertThat(RunFindings.violations(services.finish())).isEmpty();
  }

  private static Stream<JobState> longJobs(RunEvidence evidence) {
    return evidence.jobs().values().stream().filter(job -> job.spec().type().equals("long"));
  }
}
