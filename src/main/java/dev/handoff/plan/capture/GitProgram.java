package dev.handoff.plan.capture;

import dev.handoff.cancel.CancellationToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The program `git`, run in a directory. It asks nobody, runs no hooks, and takes nothing of where
/// we are from our own environment.
record GitProgram(Path directory, CancellationToken stop) {

  private static final List<String> PLAIN =
      List.of("git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false");
  private static final int LONGEST_MESSAGE = 1_000;

  /// What it answered, or why not.
  ///
  /// @param exitCode -1 = it cannot be started
  record Said(int exitCode, byte[] out, String error) {
    boolean isFine() {
      return exitCode == 0;
    }

    /// Lines; the last may have more of them in it.
    List<String> lines(int most) {
      return List.of(text().replaceFirst("\n$", "").split("\n", most));
    }

    /// Names that end in NUL.
    List<String> names() {
      return text().isEmpty() ? List.of() : List.of(text().split("\0"));
    }

    private String text() {
      return new String(out, StandardCharsets.UTF_8);
    }
  }

  /// Runs it to its end.
  ///
  /// @throws dev.handoff.cancel.CancelledException if the token is cancelled meanwhile
  Said run(String... words) throws InterruptedException {
    stop.throwIfCancelled();
    try {
      var errors = Files.createTempFile("handoff-git-", ".txt");
      try {
        return run(errors, words);
      } finally {
        Files.deleteIfExists(errors);
      }
    } catch (IOException notThere) {
      return new Said(-1, new byte[0], String.valueOf(notThere.getMessage()));
    }
  }

  private Said run(Path errors, String... words) throws IOException, InterruptedException {
    var command = new ArrayList<>(PLAIN);
    command.addAll(List.of(words));
    var builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectError(errors.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().put("GIT_TERMINAL_PROMPT", "0");
    builder.environment().put("GIT_OPTIONAL_LOCKS", "0");
    builder.environment().put("LC_ALL", "C");
    var process = builder.start();
    try {
      stop.onCancelUntil(process.onExit(), why -> kill(process));
      process.getOutputStream().close();
      var out = process.getInputStream().readAllBytes();
      int exitCode = process.waitFor();
      stop.throwIfCancelled();
      return new Said(exitCode, out, exitCode == 0 ? "" : text(errors));
    } finally {
      kill(process);
    }
  }

  /// With what it has started: filters, and git itself, which would go on writing. They are listed
  /// before: whose parent is gone can no longer be found.
  private static void kill(Process process) {
    var started = process.descendants().toList();
    process.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
  }

  private static String text(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(LONGEST_MESSAGE), StandardCharsets.UTF_8).strip();
    }
  }
}
