package dev.handoff.cli;

import dev.handoff.HandoffReader;
import dev.handoff.StoreSettings;
import dev.handoff.internal.plan.capture.DirectoryRemoval;
import dev.handoff.plan.PlanId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Command `demo`: thirty jobs and a plan on an embedded store, then a check of all expectations.
/// The classes behind it are loaded when it is called, and by no other command.
@Command(
    name = "demo",
    description =
        "A tour of about 20 seconds: 30 jobs and a plan on an embedded store, with a table of the"
            + " results.")
final class DemoCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keep the store and the site in this new directory, to look at them later.")
  private @Nullable Path data;

  private final ProgramStreams streams;

  DemoCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    if (data != null && Files.exists(data)) {
      throw new CommandFailedException(
          ExitCode.REFUSED,
          "%s is there already: the demo wants a directory of its own".formatted(data));
    }
    var folder =
        data == null ? Files.createTempDirectory("handoff-demo-") : Files.createDirectories(data);
    try {
      LogSetup.toFile(folder.resolve("handoff.log"));
      return play(folder);
    } finally {
      LogSetup.toStandardError(streams.err());
      if (data == null) {
        DirectoryRemoval.of(folder);
      }
    }
  }

  private int play(Path folder) throws IOException {
    long begin = System.nanoTime();
    var screen =
        common.json ? new Screen(streams.err(), TerminalSetup.NONE) : streams.screenOnOut();
    screen.say("Handoff runs jobs durably: each is with one worker at a time, none is forgotten.");
    var site = DemoSite.in(folder.resolve("site"));
    PlanId plan;
    try (var stage = new DemoStage(folder, site, screen)) {
      screen.say(
          "30 jobs and a plan, about 20 seconds. The engine was up after %s; its store:\n%s"
              .formatted(DemoTour.elapsed(begin), folder));
      plan = new DemoTour(stage, site).play();
    }
    try (var store = HandoffReader.open(new StoreSettings.File(folder))) {
      var report = DemoReport.of(store, plan);
      var elapsed = Duration.ofNanos(System.nanoTime() - begin);
      if (common.json) {
        streams.out().println(JsonText.of(report.json(elapsed)));
      } else {
        report.print(screen, elapsed);
      }
      if (!common.json && data != null) {
        var named = NextCommand.option("--data", data.toString());
        screen.say("Look at them:\nhandoff list" + named);
        screen.say("handoff plan show %s%s".formatted(plan, named));
      }
      return report.problems().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
  }
}
