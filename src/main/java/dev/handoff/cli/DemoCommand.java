package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobInfo;
import dev.handoff.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The tour: thirty jobs on an embedded store, and at the end the question whether all came out as
/// announced.
@Command(
    name = "demo",
    description =
        "A tour of about 20 seconds: 30 jobs on an embedded store, and what becomes of them.")
final class DemoCommand implements Callable<Integer> {

  @Mixin private CommonOptions common;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keep the store in this new directory, to look at it later.")
  private @Nullable Path data;

  private final Streams streams;

  DemoCommand(Streams streams, CommonOptions common) {
    this.streams = streams;
    this.common = common;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var folder = folder();
    try {
      return play(folder);
    } finally {
      Logging.toStandardError(streams.err());
      if (data == null) {
        delete(folder);
      }
    }
  }

  private int play(Path folder) throws IOException, InterruptedException {
    Logging.toFile(folder.resolve("handoff.log"));
    var screen = common.json ? new Screen(streams.err(), Terminals.NONE) : streams.screenOnOut();
    var voice = new DemoVoice(screen);
    long since = System.nanoTime();
    DemoTour tour;
    try (var stage = DemoStage.open(folder, screen, DemoTour.JOBS)) {
      screen.say("Handoff runs jobs durably: each goes to exactly one worker, none is forgotten.");
      screen.say(
          "30 jobs, about 20 seconds. The engine was up after %s; its store:"
              .formatted(Durations.format(Duration.ofNanos(System.nanoTime() - since))));
      screen.say(folder.toString());
      tour = new DemoTour(stage, voice);
      tour.play();
    } catch (DemoStage.LeftException left) {
      throw new CommandFailedException(left.exitCode(), left.getMessage());
    }
    var report =
        DemoReport.of(
            tour, voice, readBack(folder), Duration.ofNanos(System.nanoTime() - since));
    return tell(report, screen);
  }

  private int tell(DemoReport report, Screen screen) {
    if (common.json) {
      streams.out().println(JsonText.of(report.json()));
    } else {
      report.print(screen);
      if (data != null) {
        screen.say("Look at them: handoff list --data " + data);
      }
    }
    return report.problems().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static Map<String, JobInfo> readBack(Path folder) {
    try (var reader = HandoffReader.open(new StoreSettings.File(folder))) {
      var jobs = new HashMap<String, JobInfo>();
      reader
          .jobs(JobFilter.ALL, Optional.empty(), HandoffReader.MAX_LIMIT)
          .jobs()
          .forEach(job -> jobs.put(job.state().spec().key(), job));
      return jobs;
    }
  }

  private Path folder() throws IOException {
    if (data == null) {
      return Files.createTempDirectory("handoff-demo-");
    }
    if (Files.exists(data)) {
      throw new CommandFailedException(
          ExitCode.REFUSED,
          "%s is there already: the demo wants a directory of its own".formatted(data));
    }
    return Files.createDirectories(data);
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
