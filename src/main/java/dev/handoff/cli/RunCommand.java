package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.job.Names;
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

/// Runs a file of jobs to the end.
@Command(
    name = "run",
    description = {
      "Runs the jobs of a file, a JSON object per line, durably and to the end.",
      "",
      "Stopped or killed, and started again with the same store, it goes on where it was: no line"
          + " is taken twice, also if lines were added, removed or moved meanwhile. Without a file"
          + " it works off what is left in the store.",
      "",
      "Ends with 0 if all jobs of the file have succeeded, with 1 if some have not, in an earlier"
          + " run or in this one: then it names the commands that try them again.",
      "",
      "A line: {\"type\":\"sleep\",\"payload\":{\"ms\":500}}",
      "Beside type and payload it may have queue, priority, key, runAt, delay, timeout,"
          + " heartbeatTimeout, maxAttempts, backoff, retryIf and labels. Types: noop, sleep, echo,"
          + " fail; exec and http where they are allowed."
    })
final class RunCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private WorkOptions work = new WorkOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "The file of jobs; - is standard input. Without it: what is left in the store.")
  private @Nullable String file;

  @Option(
      names = "--again",
      description =
          "Run the file once more: lines without a key of their own are new jobs, in a run of a new"
              + " name.")
  private boolean again;

  @Option(
      names = "--run",
      paramLabel = "NAME",
      description = "The name of the run: each file runs once in each. Goes on with one, too.")
  private @Nullable String run;

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
        hints.goOn().ifPresent(command -> screen.say("a new run; it goes on with: " + command));
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

  /// Works off what earlier runs, or a retry, have left.
  private int runWhatIsLeft() throws IOException, InterruptedException {
    var types = work.handlers().types();
    var screen = screen();
    var left = LeftJobs.in(store, types);
    if (left.jobs().isEmpty() && !left.others().isEmpty()) {
      throw new CommandFailedException(
          ExitCode.REFUSED,
          "nobody here can run what is left in the store\n  "
              + String.join("\n  ", left.aside(types)));
    }
    left.aside(types).forEach(words -> screen.say("left alone: " + words));
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
    return common.json ? new Screen(streams.err(), Terminals.NONE) : streams.screenOnErr();
  }

  /// `--again` refuses a file of which jobs are left; `--run NAME` allows it.
  private void refuseUnfinished(Optional<String> file, FileCheck.Checked checked) {
    UnfinishedRun.find(store, checked.keys())
        .ifPresent(
            unfinished -> {
              throw new CommandFailedException(
                  ExitCode.REFUSED,
                  "--again is for a file that has ended; %s of this one %s left in the store"
                          .formatted(
                              PlanText.count(unfinished.jobs(), "job"),
                              unfinished.jobs() == 1 ? "is" : "are")
                      + new RunHints(file, unfinished.name(), store.again(), work.again())
                          .goOn()
                          .map("\ngo on: "::concat)
                          .orElse("")
                      + "\nto begin once more all the same, give it a name: --run NAME");
            });
  }

  /// Empty for the first run of a file, which needs no name.
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

  /// What is to run.
  ///
  /// @param types of the jobs
  /// @param counts how many they are, when the engine is there
  /// @param source hands them in
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
                    "what was running counts as lost, and will be started again; the next run ends"
                        + " programs that it has left"
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
      throw misuse("--again makes a new name for the run: leave out --run, or --again");
    }
    if (run != null) {
      Names.problem("--run", run)
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
