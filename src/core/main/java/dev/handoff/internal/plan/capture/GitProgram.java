package dev.handoff.internal.plan.capture;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.process.ProcessTree;
import dev.handoff.internal.text.DurationWords;
import dev.handoff.plan.CaptureException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Program `git`, run in a directory: without prompts, hooks, and inherited `GIT_*` variables, and
/// independent of the user's configuration.
record GitProgram(Path directory, CancellationToken stop) {

  private static final List<String> PLAIN =
      List.of(
          "git",
          "-c",
          "core.hooksPath=/dev/null",
          "-c",
          "core.fsmonitor=false",
          "-c",
          "submodule.recurse=false",
          "-c",
          "worktree.useRelativePaths=false");
  private static final byte[] NOTHING = {};
  private static final int LONGEST_MESSAGE = 1_000;

  /// Result of a run.
  ///
  /// @param exitCode exit code; -1 = the program cannot be started
  record Said(int exitCode, byte[] out, String error) {
    boolean isFine() {
      return exitCode == 0;
    }

    /// Returns this result.
    ///
    /// @throws CaptureException if the exit code is not 0
    Said orThrow(String what, Path of) {
      if (!isFine()) {
        throw new CaptureException("git does not %s of %s: %s".formatted(what, of, error));
      }
      return this;
    }

    /// Output lines; the last may contain line feeds.
    List<String> lines(int most) {
      return List.of(text().replaceFirst("\n$", "").split("\n", most));
    }

    /// NUL-terminated names in the output.
    List<String> names() {
      return text().isEmpty() ? List.of() : List.of(text().split("\0"));
    }

    private String text() {
      return new String(out, StandardCharsets.UTF_8);
    }
  }

  /// Way to run a process.
  @FunctionalInterface
  private interface Way {
    Said go(ProcessBuilder builder, Path errors) throws IOException, InterruptedException;
  }

  /// Runs a command to its end. Output goes to a file: a pipe stays open as long as any child
  /// process holds it.
  ///
  /// @throws dev.handoff.cancel.CancelledException if the token is cancelled meanwhile
  Said run(String... words) throws InterruptedException {
    try {
      var out = Files.createTempFile("handoff-git-", ".out");
      try {
        var said = run(Redirect.PIPE, Redirect.to(out.toFile()), List.of(words));
        return new Said(said.exitCode(), Files.readAllBytes(out), said.error());
      } finally {
        Files.deleteIfExists(out);
      }
    } catch (IOException noFile) {
      return new Said(-1, NOTHING, String.valueOf(noFile.getMessage()));
    }
  }

  /// Runs a command to its end with redirected output and perhaps redirected input.
  ///
  /// @throws dev.handoff.cancel.CancelledException if the token is cancelled meanwhile
  Said run(Redirect in, Redirect out, List<String> words) throws InterruptedException {
    stop.throwIfCancelled();
    return started(
        (builder, errors) -> stoppable(builder.redirectInput(in).redirectOutput(out), errors),
        words);
  }

  /// Runs a command that must not be killed: a kill would leave a half-made state that breaks later
  /// git commands. Output is discarded.
  ///
  /// @param atMost longest wait; after it the process is left running
  Said finish(Duration atMost, List<String> words) throws InterruptedException {
    return started(
        (builder, errors) -> finished(builder.redirectOutput(Redirect.DISCARD), errors, atMost),
        words);
  }

  private Said started(Way way, List<String> words) throws InterruptedException {
    try {
      var errors = Files.createTempFile("handoff-git-", ".txt");
      try {
        return way.go(builder(errors, words), errors);
      } finally {
        Files.deleteIfExists(errors);
      }
    } catch (IOException notThere) {
      return new Said(-1, NOTHING, String.valueOf(notThere.getMessage()));
    }
  }

  private ProcessBuilder builder(Path errors, List<String> words) {
    var command = new ArrayList<>(PLAIN);
    command.addAll(words);
    var builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectError(errors.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().put("GIT_TERMINAL_PROMPT", "0");
    builder.environment().put("GIT_OPTIONAL_LOCKS", "0");
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  private Said stoppable(ProcessBuilder builder, Path errors)
      throws IOException, InterruptedException {
    var process = builder.start();
    var over = new CompletableFuture<Void>();
    try {
      stop.onCancelUntil(over, CallbackThreads.chores(), why -> kill(process));
      process.getOutputStream().close();
      int exitCode = process.waitFor();
      stop.throwIfCancelled();
      return new Said(exitCode, NOTHING, exitCode == 0 ? "" : text(errors));
    } finally {
      over.complete(null);
      kill(process);
    }
  }

  private static Said finished(ProcessBuilder builder, Path errors, Duration atMost)
      throws IOException, InterruptedException {
    var process = builder.start();
    process.getOutputStream().close();
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      return new Said(-1, NOTHING, "it has not ended after " + DurationWords.exact(atMost));
    }
    return new Said(process.exitValue(), NOTHING, text(errors));
  }

  /// Kills the process with its children: filters, and git processes that would go on writing.
  private static void kill(Process process) {
    if (process.isAlive()) {
      ProcessTree.kill(process.toHandle());
    }
  }

  private static String text(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(LONGEST_MESSAGE), StandardCharsets.UTF_8).strip();
    }
  }
}
