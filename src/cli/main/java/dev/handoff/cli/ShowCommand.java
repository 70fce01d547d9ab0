package dev.handoff.cli;

import dev.handoff.HandoffReader;
import dev.handoff.JobId;
import dev.handoff.json.JobJson;
import dev.handoff.plan.PlanId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Command `show`: shows a job in full, from a store without an engine.
@Command(
    name = "show",
    description =
        "Shows one job with its attempts, history, log and error. Only reads: no engine may have"
            + " the store open.")
final class ShowCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(paramLabel = "ID", description = "The job's id.")
  private String id;

  private final ProgramStreams streams;

  ShowCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    var job = id();
    try (var reader = store.read()) {
      var info = reader.job(job).orElseThrow(() -> missing(job, reader));
      streams
          .out()
          .print(
              common.json
                  ? JsonText.of(JobJson.write(info)) + "\n"
                  : JobText.of(info, streams.screenOnOut()));
    }
    return ExitCode.OK;
  }

  private CommandFailedException missing(JobId job, HandoffReader reader) {
    var info = reader.info();
    boolean isPlan = reader.plan(new PlanId(job.value())).isPresent();
    if (!isPlan && info.mayHaveDropped()) {
      return new CommandFailedException(
          ExitCode.NOT_FOUND, "job %s in %s: %s".formatted(job, info.place(), ErrorText.NOT_KEPT));
    }
    return new CommandFailedException(
        ExitCode.NOT_FOUND,
        "job %s does not exist in %s%s"
            .formatted(
                job,
                info.place(),
                isPlan
                    ? ": it is a plan (handoff plan show %s%s)".formatted(job, store.again())
                    : ""));
  }

  private JobId id() {
    try {
      return new JobId(TypedId.of(id));
    } catch (IllegalArgumentException notOne) {
      throw new ParameterException(spec.commandLine(), notOne.getMessage());
    }
  }
}
