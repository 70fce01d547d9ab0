package dev.handoff.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.BoundedWaits;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisplayName("A program that starts others all the time")
@DisabledOnOs(OS.WINDOWS)
class ProcessTreeTest {

  /// Unique sleep time, which identifies the test's processes on this machine.
  private static final String SECONDS = "3777." + ProcessHandle.current().pid();

  private static final String STARTER =
      "%s i=0; while [ $i -lt 500 ]; do sleep " + SECONDS + " & i=$((i+1)); done; wait";

  private Process starter;

  private void start(String before) {
    try {
      starter = new ProcessBuilder("sh", "-c", STARTER.formatted(before)).start();
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
    BoundedWaits.until("it has begun", () -> sleepers().count() > 5);
  }

  private static Stream<ProcessHandle> sleepers() {
    return ProcessHandle.allProcesses()
        .filter(ProcessHandle::isAlive)
        .filter(
            process -> List.of(process.info().arguments().orElse(new String[0])).contains(SECONDS));
  }

  @AfterEach
  void stop() {
    starter.destroyForcibly();
    sleepers().forEach(ProcessHandle::destroyForcibly);
  }

  @Test
  void isKilledWithAllOfThem() {
    start("");

    ProcessTree.kill(starter.toHandle());

    BoundedWaits.until("it is gone", () -> !starter.isAlive());
    BoundedWaits.until("all are gone", () -> sleepers().findAny().isEmpty());
  }

  @Test
  void isStoppedWithAllOfThem() {
    start("");

    assertThat(ProcessTree.stop(starter.toHandle(), BoundedWaits.PATIENCE)).isTrue();

    assertThat(sleepers()).isEmpty();
  }

  @Test
  void isKilledWithAllOfThemWhenItDoesNotStop() {
    start("trap '' TERM;");

    assertThat(ProcessTree.stop(starter.toHandle(), Duration.ofMillis(1))).isTrue();

    BoundedWaits.until("all are gone", () -> sleepers().findAny().isEmpty());
  }
}
