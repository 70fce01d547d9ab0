package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.store.PostgresServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An owner on PostgreSQL that is stopped")
@DisabledOnOs(OS.WINDOWS)
class OwnershipTest {

  @TempDir Path directory;
  private ServiceProcesses services;

  @BeforeEach
  void prepare() {
    services = ServiceProcesses.on(PostgresServer.shared().newDatabase(), directory);
  }

  @AfterEach
  void stop() {
    services.close();
  }

  @Test
  void keepsASecondOneOutAsLongAsItIsConnected() {
    var first = services.start();
    first.await(What.UP, 1);
    first.signal("STOP");

    assertThatThrownBy(() -> LocalService.start(services.journal(), services.store()))
        .isInstanceOf(StoreException.Held.class)
        .hasMessageContaining("pid " + first.pid());
    var second = services.start();
    assertThat(second.exitCode()).isEqualTo(1);
    assertThat(second.complaints()).contains("is held by pid " + first.pid());

    first.signal("CONT");
    first.tell("stop");
    assertThat(first.exitCode()).isZero();
  }

  @Test
  void isFencedAndStaysDownWhenItWakesAfterAnotherHasTakenOver() {
    var first = services.start("keys=long-1..3");
    var second = replace(first);

    first.tell("release");
    first.signal("CONT");
    first.await(What.DOWN, 1);
    first.tell("quick-1");
    first.await(What.UNAVAILABLE, 1);
    first.tell("stop");
    assertThat(first.exitCode()).isZero();

    var evidence = services.finish(second);
    assertThat(RunFindings.violations(evidence)).isEmpty();
    assertThat(evidence.count(EndCause.WORKER_LOST)).isEqualTo(3);
    assertThat(evidence.jobs())
        .hasSize(4)
        .allSatisfy((id, job) -> assertThat(job.ended()).isTrue());
    assertThat(evidence.journal())
        .filteredOn(line -> line.pid() == first.pid() && line.what() == What.BEGIN)
        .hasSize(3);
  }

  @Test
  void isSeenToOverwriteANewerTruthWithoutTheFence() {
    var first = services.start("keys=long-1..3", "without=fence");
    var second = replace(first);

    first.tell("release");
    first.signal("CONT");
    first.await(What.ENDED, 3);
    first.kill();
    second.kill();

    assertThat(RunFindings.violations(services.evidence()))
        .anyMatch(violation -> violation.startsWith("I5"));
  }

  /// Stops the owner while its jobs run, and starts a second service, which takes over and runs the
  /// jobs again.
  private ServiceProcesses.Running replace(ServiceProcesses.Running first) {
    first.await(What.BEGIN, 3);
    first.signal("STOP");
    PostgresServer.shared()
        .execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE application_name LIKE 'handoff pid "
                + first.pid()
                + " %'");
    var second = services.start();
    second.await(What.BEGIN, 3);
    return second;
  }
}
