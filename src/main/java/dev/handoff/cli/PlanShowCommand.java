package dev.handoff.cli;

import dev.handoff.PlanJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Shows all there is to know of one plan.
@Command(
    name = "show",
    description =
        "Shows one plan with its steps, its changesets and where they were applied. Only reads: no"
            + " engine may have the store open.")
final class PlanShowCommand implements Callable<Integer> {

  @Mixin private PlanIdOption plan = new PlanIdOption();

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final Streams streams;

  PlanShowCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    var id = plan.id();
    try (var reader = store.read()) {
      var info = reader.plan(id).orElseThrow(() -> plan.missing(reader));
      streams
          .out()
          .print(
              common.json
                  ? JsonText.of(PlanJson.write(info)) + "\n"
                  : PlanText.of(info, streams.screenOnOut()));
    }
    return ExitCode.OK;
  }
}
