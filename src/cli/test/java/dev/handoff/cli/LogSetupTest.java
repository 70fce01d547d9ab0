package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@DisplayName("The log on standard error")
class LogSetupTest {

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  LogSetupTest() {
    LogSetup.toStandardError(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.zaxxer.hikari.pool.HikariPool",
        "org.apache.pekko.actor.CoordinatedShutdown",
        "dev.handoff.internal.engine.HistoryRetention",
        "dev.handoff.internal.ledger.LedgerActor",
        "dev.handoff.internal.store.StoreThread",
        "dev.handoff.internal.store.postgres.PostgresHold",
        "dev.handoff.failures"
      })
  void hasNoWarningsThatAreNoNewsForAUser(String logger) {
    LoggerFactory.getLogger(logger).warn("partition [0]: a checkpoint is given up");

    assertThat(said()).isEmpty();
  }

  @Test
  void hasWarningsThatAUserCanActOn() {
    LoggerFactory.getLogger("dev.handoff.internal.facade.start.LostAttemptCleanup")
        .warn("a program\nis left");

    assertThat(said()).isEqualTo("handoff: a program is left\n");
  }

  @Test
  void hasErrorsOfOthers() {
    LoggerFactory.getLogger("org.apache.pekko.actor").error("broken");

    assertThat(said()).isEqualTo("handoff: broken\n");
  }
}
