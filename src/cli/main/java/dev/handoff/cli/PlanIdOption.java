package dev.handoff.cli;

import dev.handoff.HandoffReader;
import dev.handoff.JobId;
import dev.handoff.plan.PlanId;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Plan id argument of a command.
final class PlanIdOption {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "ID", description = "The plan's id.")
  private String id;

  /// @throws ParameterException if the id is invalid
  PlanId id() {
    try {
      return new PlanId(TypedId.of(id));
    } catch (IllegalArgumentException notOne) {
      throw new ParameterException(spec.commandLine(), notOne.getMessage());
    }
  }

  /// Error for a missing plan. If the id belongs to a job, the message names the job's plan.
  ///
  /// @param again store options for commands
  CommandFailedException missing(HandoffReader reader, String again) {
    var typed = TypedId.of(id);
    var words = "plan %s does not exist in %s".formatted(typed, reader.info().place());
    var job = reader.job(new JobId(typed));
    if (job.isEmpty()) {
      return new CommandFailedException(ExitCode.NOT_FOUND, words);
    }
    return new CommandFailedException(
        ExitCode.NOT_FOUND,
        job.get().plan().isEmpty()
            ? "%s: it is a job (handoff show %s%s)".formatted(words, typed, again)
            : "%s: it is a job, step %s of plan %s"
                .formatted(words, job.get().step().orElseThrow(), job.get().plan().get()));
  }
}
