package dev.handoff.cli;

import dev.handoff.json.ChangesJson;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Command `plan cancel`: cancels a plan whose engine has stopped.
@Command(
    name = "cancel",
    description =
        "Cancels an unfinished plan: none of its steps is started again, and open changesets"
            + " are dropped. Committed changes stay. No engine may have the store"
            + " open.")
final class PlanCancelCommand implements Callable<Integer> {

  @Mixin private PlanIdOption plan = new PlanIdOption();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "cancelled from the command line",
      description = "The reason, stored with the plan (default: \"${DEFAULT-VALUE}\").")
  private String reason;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final ProgramStreams streams;

  PlanCancelCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    var id = plan.id();
    var before = store.look(id, plan);
    try (var handoff = store.own(id, plan)) {
      var handle = handoff.plans().plan(id);
      var report = handle.cancel(reason, "cli").ended().toCompletableFuture().join();
      if (!before.status().isTerminal() && report instanceof PlanCancelReport.Already) {
        report = PlanCancelReport.of(handle.ended().toCompletableFuture().join());
      }
      print(report, NextCommand.of(before, store));
      return exitCode(report);
    }
  }

  private void print(PlanCancelReport report, NextCommand again) {
    if (common.json) {
      streams.out().println(JsonText.of(ChangesJson.write(report)));
    } else if (exitCode(report) == ExitCode.OK) {
      streams.out().println(CancelText.of(report, again));
    } else {
      throw new CommandFailedException(exitCode(report), CancelText.of(report, again));
    }
  }

  private static int exitCode(PlanCancelReport report) {
    return switch (report) {
      case PlanCancelReport.Cancelled done -> ExitCode.OK;
      case PlanCancelReport.Already(var plan, var status) ->
          status == PlanStatus.CANCELLED ? ExitCode.OK : ExitCode.REFUSED;
      case PlanCancelReport.NotFound not -> ExitCode.NOT_FOUND;
    };
  }
}
