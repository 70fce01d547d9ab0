package dev.handoff.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Command group `plan`.
@Command(
    name = "plan",
    description =
        "Runs plans, whose steps are jobs or plans, and shows, applies and verifies their"
            + " changes.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {"", "handoff plan COMMAND --help shows the options of a command."})
final class PlanCommandGroup implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private CommonOptions common = new CommonOptions();

  private PlanCommandGroup() {}

  static CommandLine with(ProgramStreams streams) {
    return new CommandLine(new PlanCommandGroup())
        .addSubcommand(new PlanRunCommand(streams))
        .addSubcommand(new PlanListCommand(streams))
        .addSubcommand(new PlanShowCommand(streams))
        .addSubcommand(new PlanDiffCommand(streams))
        .addSubcommand(new PlanApplyCommand(streams))
        .addSubcommand(new PlanVerifyCommand(streams))
        .addSubcommand(new PlanResolveCommand(streams))
        .addSubcommand(new PlanRetryCommand(streams))
        .addSubcommand(new PlanCancelCommand(streams))
        .addSubcommand(new PlanCloseCommand(streams))
        .addSubcommand(new PlanDiscardCommand(streams));
  }

  @Override
  public Integer call() {
    throw new Program.MissingCommandException(spec.commandLine());
  }
}
