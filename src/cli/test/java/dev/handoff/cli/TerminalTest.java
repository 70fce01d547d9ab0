package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Runs in a pseudo-terminal that the program `script` creates.
@DisplayName("In a real terminal")
@EnabledOnOs(OS.LINUX)
class TerminalTest {

  @TempDir Path dir;

  @Test
  void aRunDrawsItsBarAndNothingElse() throws Exception {
    var written =
        inTerminal("xterm-256color", "run", "jobs.ndjson", "--data", "data", "--workers", "1");

    assertThat(written).contains("\u001b[K[").contains("/3").contains("3 jobs: 3 succeeded");
    assertThat(written).doesNotContainIgnoringCase("warning").doesNotContainIgnoringCase("slf4j");
  }

  @Test
  void oneThatIsDumbGetsPlainLines() throws Exception {
    assertThat(inTerminal("dumb", "run", "jobs.ndjson", "--data", "data")).doesNotContain("\u001b");
  }

  private String inTerminal(String type, String... args) throws Exception {
    assumeThat(Path.of("/usr/bin/script")).exists();
    Files.writeString(
        dir.resolve("jobs.ndjson"), "{\"type\":\"sleep\",\"payload\":{\"ms\":300}}\n".repeat(3));
    var words = Stream.concat(ProgramProcess.command().stream(), Stream.of(args));
    var command = words.map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    var written = dir.resolve("written");
    var builder =
        new ProcessBuilder(List.of("/usr/bin/script", "-qec", command, "/dev/null"))
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(written.toFile());
    builder.environment().put("TERM", type);

    assertThat(builder.start().waitFor()).as(() -> read(written)).isZero();
    return read(written);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException unread) {
      return unread.toString();
    }
  }
}
