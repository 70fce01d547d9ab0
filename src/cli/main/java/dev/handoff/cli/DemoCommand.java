package dev.handoff.cli;

import dev.handoff.internal.text.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Command `demo`: thirty jobs and a plan on an embedded store, then a check of all expectations.
@Command(
    name = "demo",
    description =
        "A tour of about 20 seconds: 30 jobs and a plan on an embedded store, with a table of the"
            + " results.")
final class DemoCommand implements Callable<Integer> {

  @Mixin private CommonOptions common;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keep the store and the site in this new directory, to look at them later.")
  private @Nullable Path data;

  private final ProgramStreams streams;

  DemoCommand(ProgramStreams streams, CommonOptions common) {
    this.streams = streams;
    this.common = common;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var folder = folder();
    try {
      return play(folder);
    } finally {
      LogSetup.toStandardError(streams.err());
      if (data == null) {
        delete(folder);
      }
    }
  }

  private int play(Path folder) throws IOException, InterruptedException {
    LogSetup.toFile(folder.resolve("handoff.log"));
    var screen =
        common.json ? new Screen(streams.err(), TerminalSetup.NONE) : streams.screenOnOut();
    var voice = new DemoVoice(screen);
    long begin = System.nanoTime();
    var site = DemoSite.in(folder.resolve("site"));
    DemoCast cast;
    try (var stage = DemoStage.open(folder, new DemoSteps(site), screen, DemoTour.JOBS)) {
      screen.say("Handoff runs jobs durably: each goes to exactly one worker, none is forgotten.");
      screen.say(
          "30 jobs and a plan, about 20 seconds. The engine was up after %s; its store:"
              .formatted(Durations.format(since(begin))));
      screen.say(folder.toString());
      cast = new DemoTour(stage, voice, screen).play(site);
    } catch (DemoStage.LeftException left) {
      throw new CommandFailedException(left.exitCode(), left.getMessage());
    }
    var found = DemoRemains.read(folder, cast.plan().plan(), site);
    return tell(DemoReport.of(cast, found, voice.problems(), since(begin)), screen);
  }

  private static Duration since(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private int tell(DemoReport report, Screen screen) {
    if (common.json) {
      streams.out().println(JsonText.of(report.json()));
    } else {
      report.print(screen);
      if (data != null) {
        var named = NextCommand.option("--data", data.toString());
        screen.say("Look at them:\nhandoff list" + named);
        screen.say("handoff plan show %s%s".formatted(report.cast().plan().plan(), named));
      }
    }
    return report.problems().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
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
