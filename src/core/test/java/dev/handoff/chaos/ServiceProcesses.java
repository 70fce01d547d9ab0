package dev.handoff.chaos;

import dev.handoff.StoreSettings;
import dev.handoff.chaos.ClientJournal.Line;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.ChildJvm;
import dev.handoff.testing.PlanStoreSamples;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Processes of a chaos run, in sequence or concurrent, on one store and with one journal.
final class ServiceProcesses implements AutoCloseable {

  private static final String LOGGING = "-Dlogback.configurationFile=logback-handoff.xml";

  private static final String ORDINARY_HEAP = "-Xmx512m";

  private final Class<?> program;
  private final Path directory;
  private final StoreSettings.Kind store;
  private final List<Running> started = new ArrayList<>();

  private ServiceProcesses(Class<?> program, Path directory, StoreSettings.Kind store) {
    this.program = program;
    this.directory = directory;
    this.store = store;
  }

  /// Services on a file store.
  static ServiceProcesses in(Path directory) {
    return new ServiceProcesses(
        ChaosService.class, directory, new StoreSettings.File(directory.resolve("data")));
  }

  /// Services with plans on a file store.
  static ServiceProcesses ofPlans(Path directory) {
    return new ServiceProcesses(
        PlanService.class, directory, new StoreSettings.File(directory.resolve("data")));
  }

  /// Services on a file store, with handlers that stress the engine and little memory.
  static ServiceProcesses rough(Path directory) {
    return new ServiceProcesses(
        RoughService.class, directory, new StoreSettings.File(directory.resolve("data")));
  }

  /// Services on a PostgreSQL server.
  static ServiceProcesses on(String url, Path directory) {
    var kind = new StoreSettings.Postgres(url, null, null, Duration.ofSeconds(5));
    return new ServiceProcesses(ChaosService.class, directory, kind);
  }

  StoreSettings.Kind store() {
    return store;
  }

  Path directory() {
    return directory;
  }

  /// Started process.
  final class Running {

    private final Process process;
    private final Path complaints;
    private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
    private final List<String> others = new ArrayList<>();

    private Running(Process process, Path complaints) {
      this.process = process;
      this.complaints = complaints;
      Thread.ofVirtual().start(this::listen);
    }

    /// Reads all output, so that no process blocks on a full pipe and seems to hang.
    private void listen() {
      try (BufferedReader output = process.inputReader()) {
        for (var line = output.readLine(); line != null; line = output.readLine()) {
          Line.parse(line).ifPresent(lines::add);
        }
      } catch (IOException cut) {
        others.add(cut.toString());
      }
    }

    long pid() {
      return process.pid();
    }

    /// Waits for this number of further lines of a kind.
    Line await(What what, int times) {
      int seen = 0;
      while (true) {
        var line = next();
        if (line.what() == what && ++seen == times) {
          return line;
        }
      }
    }

    /// Waits for this number of further lines.
    void await(int count) {
      for (int seen = 0; seen < count; seen++) {
        next();
      }
    }

    private Line next() {
      try {
        for (long end = System.nanoTime() + BoundedWaits.PATIENCE.toNanos(); ; ) {
          var line = lines.poll(100, TimeUnit.MILLISECONDS);
          if (line != null) {
            return line;
          }
          if (!process.isAlive() && lines.isEmpty() || System.nanoTime() > end) {
            throw new AssertionError("it says no more: " + complaints());
          }
        }
      } catch (InterruptedException impatient) {
        throw new AssertionError(impatient);
      }
    }

    void tell(String order) {
      try {
        var input = process.outputWriter();
        input.write(order + "\n");
        input.flush();
      } catch (IOException gone) {
        throw new UncheckedIOException(gone);
      }
    }

    void signal(String name) {
      ChildJvm.signal(pid(), name);
    }

    /// Stops the process with `SIGSTOP`, waits, and resumes it.
    void freeze(Duration time) {
      signal("STOP");
      if (ends(time)) {
        throw new AssertionError("it ended although it was stopped");
      }
      signal("CONT");
    }

    private boolean ends(Duration time) {
      try {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException impatient) {
        throw new AssertionError(impatient);
      }
    }

    /// Kills the process as `kill -9` does.
    void kill() {
      signal("KILL");
      exitCode();
    }

    int exitCode() {
      return exitCode(BoundedWaits.PATIENCE);
    }

    int exitCode(Duration patience) {
      if (!ends(patience)) {
        throw new AssertionError("it does not end: " + complaints());
      }
      return process.exitValue();
    }

    String complaints() {
      try {
        return Files.readString(complaints) + others;
      } catch (IOException gone) {
        return gone.toString();
      }
    }
  }

  /// @param settings arguments of [ChaosService] or [PlanService]
  Running start(String... settings) {
    try {
      var heap = program == RoughService.class ? RoughService.HEAP : ORDINARY_HEAP;
      var command = new ArrayList<>(ChildJvm.command(program, LOGGING, heap));
      command.add("journal=" + journal());
      command.add(
          switch (store) {
            case StoreSettings.File file -> "dir=" + file.directory();
            case StoreSettings.Postgres postgres -> "url=" + postgres.url();
            case StoreSettings.Memory memory -> throw new IllegalArgumentException("memory");
          });
      command.addAll(List.of(settings));
      var complaints = Files.createTempFile(directory, "err", ".txt");
      var process = new ProcessBuilder(command).redirectError(complaints.toFile()).start();
      var running = new Running(process, complaints);
      started.add(running);
      return running;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Waits for the end of all jobs in an undisturbed process, and returns the evidence.
  RunEvidence finish(String... settings) {
    var last = start(settings);
    last.await(What.UP, 1);
    return finish(last);
  }

  /// Waits for the end of all jobs in a running process, and returns the evidence.
  RunEvidence finish(Running last) {
    end(last);
    return evidence();
  }

  private static void end(Running last) {
    last.tell("finish");
    if (last.exitCode() != 0) {
      throw new AssertionError("it did not finish: " + last.complaints());
    }
  }

  /// Waits for the end of all plans in an undisturbed process.
  PlanEvidence finishPlans(String... settings) {
    var last = start(settings);
    last.await(What.UP, 1);
    end(last);
    return PlanEvidence.of(journal(), store);
  }

  /// Evidence of the store's current state; no engine may hold it.
  RunEvidence evidence() {
    return RunEvidence.of(journal(), store);
  }

  /// Plans of a store that no engine holds.
  PlanStoreSamples storedPlans() {
    return PlanStoreSamples.of(store);
  }

  Path journal() {
    return directory.resolve("journal");
  }

  @Override
  public void close() {
    started.forEach(running -> running.process.destroyForcibly());
    started.forEach(Running::exitCode);
  }
}
