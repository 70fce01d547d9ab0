package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.plan.PlanFile;
import dev.handoff.plan.PlanSubmission;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Command `plan run`: runs the plan of a file to its end.
@Command(
    name = "run",
    description = {
      "Runs the plan of a file, in YAML or JSON, durably and to its end. Ctrl-C cancels it."
          + " After a kill or SIGTERM, plan retry continues where the plan was.",
      "",
      "A plan:",
      "{\"name\":\"two\",\"steps\":[",
      "{\"name\":\"a\",\"type\":\"noop\"},",
      "{\"name\":\"b\",\"type\":\"noop\",\"after\":[\"a\"]}]}",
      "A plan may have maxParallel, failFast and deadline; a step has the fields of a job (see"
          + " handoff run --help), or a child plan in the field plan."
    })
final class PlanRunCommand implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", description = "The file of the plan; - is standard input.")
  private String file;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private WorkOptions work = new WorkOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final ProgramStreams streams;

  PlanRunCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    work.check();
    store.check();
    var plan = read();
    var handlers = work.handlers();
    handlers.addTo(Handoff.builder()).misfit(plan).ifPresent(refusal -> refuse(plan, refusal));
    return new PlanEngine(streams, store, work, common.json)
        .run(
            PlanOpening.ofNew(
                plan.stepsByType().keySet(),
                handoff -> handoff.plans().submitOrThrow(plan.request())));
  }

  private PlanFile read() throws IOException {
    try {
      if (file.equals("-")) {
        return PlanFile.parse("standard input", streams.in().readNBytes(PlanFile.MOST_BYTES + 1));
      }
      return PlanFile.read(InputFile.of(file));
    } catch (InvalidRequestException wrong) {
      throw invalid(wrong.problems());
    }
  }

  private static void refuse(PlanFile plan, PlanSubmission refusal) {
    switch (refusal) {
      case PlanSubmission.Invalid(var problems) -> throw invalid(problems);
      case PlanSubmission.UnknownType(var types, var known) ->
          throw unknown(types, known, plan.stepsByType());
      case PlanSubmission.Accepted none -> {}
      case PlanSubmission.Refused none -> {}
      case PlanSubmission.Unavailable none -> {}
    }
  }

  private static CommandFailedException invalid(List<String> problems) {
    return new CommandFailedException(
        ExitCode.USAGE,
        "the plan is invalid"
            + problems.stream()
                .map(problem -> "\n  " + TerminalText.line(problem))
                .collect(Collectors.joining()));
  }

  /// Refusal of a plan with unknown job types, before any start.
  ///
  /// @param places steps per type
  static CommandFailedException unknown(
      Set<String> types, Set<String> known, Map<String, List<String>> places) {
    return new CommandFailedException(
        ExitCode.REFUSED,
        "these steps cannot be run; nothing was started"
            + types.stream()
                .map(
                    type ->
                        "\n  type %s (%s): %s"
                            .formatted(
                                TerminalText.line(type),
                                TerminalText.line(PlanDiffCommand.some(places.get(type))),
                                WorkOptions.hint(type, known)))
                .collect(Collectors.joining()));
  }
}
