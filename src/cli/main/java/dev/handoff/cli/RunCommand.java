package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.internal.text.NameRule;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Command `run`: runs a job file to its end.
@Command(
    name = "run",
    description = {
      "Runs the jobs of a file, one JSON object per line, durably and to the end.",
      "",
      "A run that was stopped or killed continues when it is started again with the same store:"
          + " no line is accepted twice, even if lines were added, removed or moved"
          + " meanwhile. Without a file it runs the unfinished jobs of the store.",
      "",
      "The exit code is 0 if all jobs of the file have succeeded, and 1 if some have not, in an"
          + " earlier run or in this one: then the output names the commands that retry them.",
      "",
      "A line: {\"type\":\"sleep\",\"payload\":{\"ms\":500}}",
      "Fields besides type and payload: queue, priority, key, runAt, delay, timeout,"
          + " heartbeatTimeout, maxAttempts, backoff, retryIf and labels. Types: noop, sleep, echo,"
          + " fail; exec and http if they are allowed."
    })
final class RunCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private WorkOptions work = new WorkOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description =
          "The job file; - is standard input. Without it: the unfinished jobs of the" + " store.")
  private @Nullable String file;

  @Option(
      names = "--again",
      description =
          "Run the file once more: lines without a key of their own are new jobs, in a run with"
              + " a new name.")
  private boolean again;

  @Option(
      names = "--run",
      paramLabel = "NAME",
      description =
          "The name of the run: a file runs once under each name. The same name again"
              + " resumes the run.")
  private @Nullable String run;

  @Option(
      names = "--max-failures",
      paramLabel = "N",
      defaultValue = "0",
      description = "Stop after N failed jobs; the rest stays queued (0 = never).")
  private long maxFailures;

  private final ProgramStreams streams;

  RunCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkOptions();
    store.check();
    return file == null ? runWhatIsLeft() : run(file);
  }

  private int run(String file) throws IOException, InterruptedException {
    var handlers = work.handlers();
    var screen = screen();
    try (var jobs = JobFile.open(file, streams.in(), store.scratch())) {
      var checked = check(jobs, handlers, screen);
      var name = name();
      var named = jobs.temporary() ? Optional.<String>empty() : Optional.of(file);
      var hints = new RunHints(named, name, store.again(), work.again());
      if (again) {
        refuseUnfinished(named, checked);
        hints.goOn().ifPresent(command -> screen.say("a new run; resume it with: " + command));
      }
      return run(
          new Jobs(
              checked.types(),
              hints,
              handoff -> new RunCounts(checked.jobs(), checked.ownKeys()),
              (handoff, events) ->
                  Submitter.start(Submitter.Door.of(handoff), jobs, new LineKeys(name), events)),
          handlers.types(),
          screen);
    }
  }

  /// Completes jobs left by earlier runs or reopened by a retry.
  private int runWhatIsLeft() throws IOException, InterruptedException {
    var types = work.handlers().types();
    var screen = screen();
    var left = LeftJobs.in(store, types);
    if (left.jobs().isEmpty() && !left.others().isEmpty()) {
      throw new CommandFailedException(
          ExitCode.REFUSED,
          "no unfinished job of the store can be run\n  " + String.join("\n  ", left.aside(types)));
    }
    left.aside(types).forEach(words -> screen.say("not run: " + words));
    return run(
        new Jobs(
            types,
            new RunHints(Optional.of(""), "", store.again(), work.again()),
            handoff -> new RunCounts(left.withoutPaused(handoff).jobs().size(), 0),
            (handoff, events) -> left.withoutPaused(handoff).watch(handoff, events)),
        types,
        screen);
  }

  private Screen screen() {
    return common.json ? new Screen(streams.err(), TerminalSetup.NONE) : streams.screenOnErr();
  }

  /// Refuses `--again` for a file with unfinished jobs; `--run NAME` allows it.
  private void refuseUnfinished(Optional<String> file, FileCheck.Checked checked) {
    UnfinishedRun.find(store, checked.keys())
        .ifPresent(
            unfinished -> {
              throw new CommandFailedException(
                  ExitCode.REFUSED,
                  "--again needs a file whose jobs have all ended; %s %s not done"
                          .formatted(
                              PlanText.count(unfinished.jobs(), "job"),
                              unfinished.jobs() == 1 ? "is" : "are")
                      + new RunHints(file, unfinished.name(), store.again(), work.again())
                          .goOn()
                          .map("\ngo on: "::concat)
                          .orElse("")
                      + "\nto start a new run anyway, name it: --run NAME");
            });
  }

  /// Name of the run; empty for the first run of a file.
  private String name() {
    return again ? Instant.now().truncatedTo(ChronoUnit.MILLIS).toString() : run == null ? "" : run;
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

  /// Jobs of a run.
  ///
  /// @param types job types
  /// @param counts creates the counters after the engine's start
  /// @param source submits or watches the jobs
  private record Jobs(
      Set<String> types,
      RunHints hints,
      Function<Handoff, RunCounts> counts,
      BiFunction<Handoff, Consumer<RunEvent>, JobSource> source) {}

  private int run(Jobs jobs, Set<String> types, Screen screen)
      throws IOException, InterruptedException {
    var begun = Instant.now();
    var events = new LinkedBlockingQueue<RunEvent>();
    var signals =
        StopSignals.passTo(
            signal -> events.add(new RunEvent.Signalled(signal)),
            () ->
                screen.sayLast(
                    "running jobs count as lost and will be started again; the next run ends"
                        + " their programs"
                        + jobs.hints().goOn().map("\ngo on: "::concat).orElse("")));
    try {
      var handoff =
          work.start(store, jobs.types(), reason -> events.add(new RunEvent.EngineDown(reason)));
      var counts = jobs.counts().apply(handoff);
      var sources =
          new RunLoop.Work(
              jobs.source().apply(handoff, events::add),
              new OtherJobs(handoff, types, count -> events.add(new RunEvent.Others(count))),
              begun);
      var loop = new RunLoop(handoff, sources, events, counts, screen, maxFailures);
      var stop = run(handoff, loop, events);
      var summary = new RunSummary(counts, stop, loop.elapsed(), jobs.hints());
      streams.out().print(common.json ? JsonText.of(summary.json()) + "\n" : summary.text());
      return summary.exitCode();
    } finally {
      signals.close();
    }
  }

  private static @Nullable RunStop run(
      Handoff handoff, RunLoop loop, BlockingQueue<RunEvent> events) throws InterruptedException {
    var watch = StoreWatch.start(handoff, words -> events.add(new RunEvent.Told(words)));
    try {
      return loop.run();
    } finally {
      watch.stop();
    }
  }

  private void checkOptions() {
    work.check();
    if (maxFailures < 0) {
      throw misuse("--max-failures must be 0 or more, was " + maxFailures);
    }
    if (file == null && (again || run != null)) {
      throw misuse("%s needs a FILE to run".formatted(again ? "--again" : "--run"));
    }
    if (again && run != null) {
      throw misuse("--again and --run exclude each other: --again makes a new name for the run");
    }
    if (run != null) {
      NameRule.problem("--run", run)
          .ifPresent(
              problem -> {
                throw misuse(problem);
              });
    }
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
