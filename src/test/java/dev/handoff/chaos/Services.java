package dev.handoff.chaos;

import dev.handoff.chaos.Journal.Line;
import dev.handoff.chaos.Journal.What;
import dev.handoff.store.StoreSettings;
import dev.handoff.testing.ChildJvm;
import dev.handoff.testing.Soon;
import dev.handoff.testing.StoredPlans;
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

/// The processes of one chaos run, one after the other or side by side, on one store and with one
/// journal.
final class Services implements AutoCloseable {

  private static final String LOGGING = "-Dlogback.configurationFile=logback-handoff.xml";

  private static final String ORDINARY_HEAP = "-Xmx512m";

  private final Class<?> program;
  private final Path directory;
  private final StoreSettings.Kind store;
  private final List<Running> started = new ArrayList<>();

  private Services(Class<?> program, Path directory, StoreSettings.Kind store) {
    this.program = program;
    this.directory = directory;
    this.store = store;
  }

  /// On a file store.
  static Services in(Path directory) {
    return new Services(
        Service.class, directory, new StoreSettings.File(directory.resolve("data")));
  }

  /// On a file store, with plans.
  static Services ofPlans(Path directory) {
    return new Services(
        PlanService.class, directory, new StoreSettings.File(directory.resolve("data")));
  }

  /// On a file store, with handlers that are hard on the engine and little memory.
  static Services rough(Path directory) {
    return new Services(
        RoughService.class, directory, new StoreSettings.File(directory.resolve("data")));
  }

  /// On a server.
  static Services on(String url, Path directory) {
    var kind = new StoreSettings.Postgres(url, null, null, Duration.ofSeconds(5));
    return new Services(Service.class, directory, kind);
  }

  StoreSettings.Kind store() {
    return store;
  }

  Path directory() {
    return directory;
  }

  /// A process that was started.
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

    /// Until its end, so that a process that is stopped with a full pipe can be told from one that
    /// hangs.
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

    /// Waits until it has said something of a kind so many times from here on.
    Line await(What what, int times) {
      int seen = 0;
      while (true) {
        var line = next();
        if (line.what() == what && ++seen == times) {
          return line;
        }
      }
    }

    /// Waits until it has said so many lines more.
    void await(int count) {
      for (int seen = 0; seen < count; seen++) {
        next();
      }
    }

    private Line next() {
      try {
        for (long end = System.nanoTime() + Soon.PATIENCE.toNanos(); ; ) {
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

    /// Stops it where it is, lets so much time go by, and lets it go on.
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

    /// Kills it as `kill -9` does.
    void kill() {
      signal("KILL");
      exitCode();
    }

    int exitCode() {
      return exitCode(Soon.PATIENCE);
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

  /// @param settings as [Service] or [PlanService] takes them
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

  /// Sees everything to its end, in a process that nobody harms, and says what was found.
  Evidence finish(String... settings) {
    var last = start(settings);
    last.await(What.UP, 1);
    return finish(last);
  }

  /// The same, in a process that runs.
  Evidence finish(Running last) {
    end(last);
    return evidence();
  }

  private static void end(Running last) {
    last.tell("finish");
    if (last.exitCode() != 0) {
      throw new AssertionError("it did not finish: " + last.complaints());
    }
  }

  /// Sees all plans to their end, in a process that nobody harms.
  PlanEvidence finishPlans(String... settings) {
    var last = start(settings);
    last.await(What.UP, 1);
    end(last);
    return PlanEvidence.of(journal(), store);
  }

  /// As it is now, once nobody holds the store.
  Evidence evidence() {
    return Evidence.of(journal(), store);
  }

  /// The plans of a store that nobody holds.
  StoredPlans storedPlans() {
    return StoredPlans.of(store);
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
