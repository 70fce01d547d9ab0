package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.handlers.BuiltInHandlers;
import java.io.IOException;
import java.time.Instant;
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

  @Spec private CommandSpec spec;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private WorkOptions work = new WorkOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(paramLabel = "FILE", description = "The file of jobs; - is standard input.")
  private String file;

  @Option(
      names = "--max-failures",
      paramLabel = "N",
      defaultValue = "0",
      description = "Stop after so many failed jobs; the rest stays queued (0 = never).")
  private long maxFailures;

  private final Streams streams;

  RunCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkOptions();
    store.requireDirectory();
    var handlers = work.handlers();
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
    var begun = Instant.now();
    var events = new LinkedBlockingQueue<RunEvent>();
    var signals =
        StopSignals.passTo(
            signal -> events.add(new RunEvent.Signalled(signal)),
            () ->
                screen.sayLast(
                    "what was running counts as lost, and will be started again; the next run ends"
                        + " programs that it has left"));
    try {
      var handoff =
          work.start(store, checked.types(), reason -> events.add(new RunEvent.EngineDown(reason)));
      var sources =
          new RunLoop.Work(
              Submitter.start(handoff::submit, jobs, events::add),
              new OtherJobs(
                  handoff, handlers.types(), count -> events.add(new RunEvent.Others(count))),
              begun);
      var counts = new RunCounts(checked.jobs());
      var loop = new RunLoop(handoff, sources, events, counts, screen, maxFailures);
      var stop = loop.run();
      var summary = new RunSummary(counts, stop, loop.elapsed());
      streams.out().print(common.json ? JsonText.of(summary.json()) + "\n" : summary.text());
      return summary.exitCode();
    } finally {
      signals.close();
    }
  }

  private void checkOptions() {
    work.check();
    if (maxFailures < 0) {
      throw misuse("--max-failures must be 0 or more, was " + maxFailures);
    }
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
