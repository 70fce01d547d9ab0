package dev.handoff.internal.plan.change;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Runs external diff and merge programs, if installed.
final class DiffPrograms {

  /// Exit code, and combined output.
  record Ran(int code, byte[] output) {
    String text() {
      return new String(output, StandardCharsets.UTF_8);
    }
  }

  private DiffPrograms() {}

  static void assumePresent(String program) {
    boolean present;
    try {
      present = run(Path.of("."), program, "--version").code() == 0;
    } catch (IOException | InterruptedException none) {
      present = false;
    }
    assumeTrue(present, program + " is there");
  }

  static Ran run(Path directory, String... command) throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("GIT_CEILING_DIRECTORIES", String.valueOf(directory.getParent()));
    builder.environment().put("LC_ALL", "C.UTF-8");
    var process = builder.start();
    process.getOutputStream().close();
    try (InputStream output = process.getInputStream()) {
      var said = output.readAllBytes();
      return new Ran(process.waitFor(), said);
    }
  }
}
