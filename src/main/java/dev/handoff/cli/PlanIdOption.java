package dev.handoff.cli;

import dev.handoff.plan.PlanId;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Which plan a command is about.
final class PlanIdOption {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "ID", description = "The plan's id.")
  private String id;

  /// @throws ParameterException if it is none
  PlanId id() {
    try {
      return new PlanId(id);
    } catch (IllegalArgumentException notOne) {
      throw new ParameterException(spec.commandLine(), notOne.getMessage());
    }
  }

  CommandFailedException missing(StoreOptions store) {
    return new CommandFailedException(
        ExitCode.NOT_FOUND, "plan %s does not exist in %s".formatted(id, store.place()));
  }
}
