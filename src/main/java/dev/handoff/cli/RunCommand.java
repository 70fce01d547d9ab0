package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.Handoff;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.handlers.HandlerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs a file of jobs to the end.
@Command(
    name = "run",
    description = {
      "Runs the jobs of a file, a JSON object per line, durably and to the end. Stopped or killed,"
          + " and started again with the same store, it goes on where it was: no line is taken"
          + " twice.",
      "",
      "A line: {\"type\":\"sleep\",\"payload\":{\"ms\":500}}",
      "Beside type and payload it may have queue, priority, key, runAt, delay, timeout,"
          + " heartbeatTimeout, maxAttempts, backoff and labels. Types: noop, sleep, echo, fail;"
          + " exec and http where they are allowed."
    })
final class RunCommand implements Callable<Integer> {

  private static final Duration LONGEST_GRACE = Duration.ofMinutes(5);

  @Spec private CommandSpec spec;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(paramLabel = "FILE", description = "The file of jobs; - is standard input.")
  private String file;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "128",
      description = "So many jobs run at once (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--max-failures",
      paramLabel = "N",
      defaultValue = "0",
      description = "Stop after so many failed jobs; the rest stays queued (0 = never).")
  private long maxFailures;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      defaultValue = "30s",
      description =
          "How long running jobs may go on when it is stopped (default: ${DEFAULT-VALUE}).")
  private String grace;

  @Option(names = "--allow-exec", description = "Let jobs start programs.")
  private boolean allowExec;

  @Option(
      names = "--allow-http",
      paramLabel = "HOST",
      description = "Let jobs send requests to this host; may be repeated.")
  private Set<String> allowHttp = new LinkedHashSet<>();

  @Option(
      names = "--allow-http-private",
      description = "Those hosts may be on this machine or in a private network.")
  private boolean allowHttpPrivate;

  private final Streams streams;

  RunCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkOptions();
    store.requireDirectory();
    var handlers = BuiltInHandlers.with(settings());
    var screen = common.json ? new Screen(streams.err(), Terminals.NONE) : streams.screenOnErr();
    try (var jobs = JobFile.open(file, streams.in(), store.data)) {
      return run(jobs, check(jobs, handlers, screen), handlers, screen);
    }
  }

  private static FileCheck.Checked check(JobFile jobs, BuiltInHandlers handlers, Screen screen)
      throws IOException {
    try {
      return FileCheck.check(
          jobs,
          handlers.types(),
          handlers.addTo(Handoff.builder())::misfit,
          count -> screen.status("checking the file: " + count + " lines"));
    } finally {
      screen.clear();
    }
  }

  private int run(JobFile jobs, FileCheck.Checked checked, BuiltInHandlers handlers, Screen screen)
      throws IOException, InterruptedException {
    if (store.database == null) {
      Files.createDirectories(store.data);
      Logging.toFile(store.data.resolve("handoff.log"));
    }
    var events = new LinkedBlockingQueue<RunEvent>();
    var signals = StopSignals.passTo(signal -> events.add(new RunEvent.Signalled(signal)));
    try {
      var handoff = start(handlers, checked, events);
      var work =
          new RunLoop.Work(
              Submitter.start(handoff::submit, jobs, events::add),
              new OtherJobs(handoff, handlers.types(), events::add));
      var counts = new RunCounts(checked.jobs());
      var loop = new RunLoop(handoff, work, events, counts, screen, maxFailures);
      var stop = loop.run();
      var summary = new RunSummary(counts, stop, loop.elapsed());
      streams.out().print(common.json ? JsonText.of(summary.json()) + "\n" : summary.text());
      return summary.exitCode();
    } finally {
      signals.close();
    }
  }

  /// Where all jobs are programs, there are no more workers than programs may run: a job that waits
  /// for its turn inside of a worker would lose an attempt with it.
  private Handoff start(
      BuiltInHandlers handlers, FileCheck.Checked checked, BlockingQueue<RunEvent> events) {
    boolean programsOnly = checked.types().equals(Set.of(BuiltInHandlers.EXEC));
    int most = programsOnly ? settings().maxProcesses() : workers;
    return RunEngine.start(
        store.kind(),
        () ->
            handlers.addTo(
                Handoff.builder()
                    .workers(Math.min(workers, most))
                    .shutdownGrace(Durations.parse(grace))
                    .onDown(reason -> events.add(new RunEvent.EngineDown(reason)))));
  }

  private HandlerSettings settings() {
    var settings = HandlerSettings.SAFE.withHttp(allowHttp, allowHttpPrivate);
    return allowExec ? settings.withExec() : settings;
  }

  private void checkOptions() {
    if (workers < 1 || workers > 100_000) {
      throw misuse("--workers must be 1 to 100000, was " + workers);
    }
    if (maxFailures < 0) {
      throw misuse("--max-failures must be 0 or more, was " + maxFailures);
    }
    for (var host : allowHttp) {
      if (host.contains("/")) {
        throw misuse(
            "--allow-http names a host, such as api.example.org or localhost:8080, was " + host);
      }
    }
    try {
      if (Durations.parse(grace).compareTo(LONGEST_GRACE) > 0) {
        throw misuse("--grace must be at most 5m, was " + grace);
      }
    } catch (IllegalArgumentException notOne) {
      throw misuse("--grace: " + notOne.getMessage());
    }
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
