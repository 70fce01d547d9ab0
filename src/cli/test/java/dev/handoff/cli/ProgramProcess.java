package dev.handoff.cli;

import dev.handoff.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// The `handoff` program in a separate process, as the start script starts it.
record ProgramProcess(Process process, Path out, Path err) {

  private static final Duration LONGEST = Duration.ofMinutes(1);

  static ProgramProcess start(Path dir, String... args) throws IOException {
    var command = new ArrayList<>(heeding());
    command.addAll(command());
    command.addAll(List.of(args));
    var out = Files.createTempFile(dir, "out", ".txt");
    var err = Files.createTempFile(dir, "err", ".txt");
    var process =
        new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new ProgramProcess(process, out, err);
  }

  /// Background processes of a shell ignore SIGINT, and so do their children; `env` restores the
  /// default.
  private static List<String> heeding() {
    var hears = List.of("env", "--default-signal=INT");
    try {
      var tried = new ArrayList<>(hears);
      tried.add("true");
      return new ProcessBuilder(tried).start().waitFor() == 0 ? hears : List.of();
    } catch (IOException | InterruptedException unknown) {
      return List.of();
    }
  }

  /// Command line of the program, without its arguments.
  static List<String> command() {
    return ChildJvm.command(Main.class);
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("it does not end");
    }
    return process.exitValue();
  }

  String said() throws IOException {
    return Files.readString(out);
  }

  String complained() throws IOException {
    return Files.readString(err);
  }

  /// Sends a signal, as from another terminal.
  void signal(String name) {
    ChildJvm.signal(process.pid(), name);
  }

  /// Waits for a condition that another process fulfils.
  static void await(BooleanSupplier holds) {
    long until = System.nanoTime() + LONGEST.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > until) {
        throw new AssertionError("it does not happen");
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  /// Number of lines of a file; 0 if the file does not exist.
  static long linesOf(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    } catch (IOException beingWritten) {
      return 0;
    }
  }
}
