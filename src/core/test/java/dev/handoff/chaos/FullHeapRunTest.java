package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An engine whose heap is full")
class FullHeapRunTest {

  @TempDir Path directory;

  /// Runs a program and returns its last line of output.
  private String run(Class<?> program, String heap, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(ChildJvm.command(program, heap));
    command.add(directory.resolve("data").toString());
    command.addAll(List.of(arguments));
    var output = directory.resolve("output").toFile();
    var process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
    var running = process.start();
    assertThat(running.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
    var lines = Files.readAllLines(output.toPath());
    return lines.isEmpty() ? "" : lines.getLast();
  }

  /// The allocation that fails is most often the handler's own, but can be any other.
  @Test
  void livesOrIsDownAndSaysSoWhereHandlersFillIt() throws Exception {
    var end = run(FullHeapRun.class, "-Xmx192m", "2");

    assertThat(end)
        .matches("(LIVES|DOWN) .*")
        .contains(" unanswered=0 ", " closed=true ", " free=true ");
  }

  @Test
  void isNotStartedOnMoreJobsThanItHasRoomFor() throws Exception {
    assertThat(run(FullStart.class, "-Xmx512m", "60000")).isEqualTo("FILLED");

    assertThat(run(FullStart.class, "-Xmx64m")).isEqualTo("NOT STARTED and FREE");
  }
}
