package dev.handoff.cli;

import dev.handoff.json.ChangesJson;
import dev.handoff.plan.Content;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.Resolution;
import dev.handoff.plan.ResolveAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Command `plan resolve`: resolves a conflict between two steps.
@Command(
    name = "resolve",
    description =
        "Decides a conflict: the content of a file that steps have changed in different ways."
            + " The decision is stored with the plan, and is valid for exactly this conflict.")
final class PlanResolveCommand implements Callable<Integer> {

  private static final String BY = "cli";

  @Mixin private PlanIdOption plan = new PlanIdOption();

  @Parameters(index = "1", paramLabel = "PATH", description = "The file in conflict.")
  private String path;

  @ArgGroup(multiplicity = "1")
  private Choice choice = new Choice();

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final ProgramStreams streams;

  /// Resolution of the conflict.
  private static final class Choice {
    @Option(names = "--ours", description = "Take the content of the earlier changes.")
    private boolean ours;

    @Option(names = "--theirs", description = "Take the content of the later change.")
    private boolean theirs;

    @Option(
        names = "--content",
        paramLabel = "FILE",
        description = "Take the content of this file; - is standard input.")
    private @Nullable String content;
  }

  PlanResolveCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    var id = plan.id();
    byte[] content = choice.content == null ? null : read(choice.content);
    var info = store.look(id, plan);
    try (var handoff = store.own(id, plan)) {
      var handle = RunningApplies.awaitNone(handoff.plans().plan(id));
      var answer = decide(handle, content).toCompletableFuture().join();
      if (common.json) {
        streams.out().println(JsonText.of(ChangesJson.write(answer)));
      } else if (answer instanceof ResolveAnswer.Resolved) {
        streams.out().println(text(answer));
      } else {
        throw new CommandFailedException(exitCode(answer), text(answer) + decided(info));
      }
      return exitCode(answer);
    }
  }

  private CompletionStage<ResolveAnswer> decide(PlanHandle handle, byte @Nullable [] content) {
    return content == null
        ? handle.resolve(path, choice.ours ? Resolution.Choice.OURS : Resolution.Choice.THEIRS, BY)
        : handle.resolve(path, content, BY);
  }

  private byte[] read(String file) throws IOException {
    try (var in = file.equals("-") ? streams.in() : Files.newInputStream(InputFile.of(file))) {
      return in.readNBytes(Content.MOST_BYTES + 1);
    }
  }

  private static String text(ResolveAnswer answer) {
    return switch (answer) {
      case ResolveAnswer.Resolved(var file, var left) ->
          "decided: %s\n%s"
              .formatted(
                  TerminalText.line(file),
                  left.isEmpty()
                      ? "nothing else is in conflict"
                      : "still in conflict: " + names(left));
      case ResolveAnswer.NoConflict(var file, var others) ->
          "%s is not in conflict; in conflict: %s"
              .formatted(TerminalText.line(file), names(others));
      case ResolveAnswer.NotPossible(var reason) -> "not possible: " + TerminalText.line(reason);
      case ResolveAnswer.NotFound(var id) -> "plan %s does not exist".formatted(id);
      case ResolveAnswer.Unavailable(var reason, var retryAfter) ->
          "it is unknown whether the decision was recorded: %s; deciding again is safe"
              .formatted(TerminalText.line(reason));
    };
  }

  /// Note about an earlier resolution of this file, which explains a missing conflict.
  private String decided(PlanInfo info) {
    return info.decisions().stream()
        .filter(decision -> decision.path().equals(path))
        .map(decision -> "\nit was decided before: " + ResolutionText.words(decision))
        .collect(Collectors.joining());
  }

  private static String names(List<String> paths) {
    return TerminalText.line(PlanDiffCommand.some(paths));
  }

  private static int exitCode(ResolveAnswer answer) {
    return switch (answer) {
      case ResolveAnswer.Resolved done -> ExitCode.OK;
      case ResolveAnswer.NoConflict none -> ExitCode.NOT_FOUND;
      case ResolveAnswer.NotPossible not -> ExitCode.REFUSED;
      case ResolveAnswer.NotFound not -> ExitCode.NOT_FOUND;
      case ResolveAnswer.Unavailable not -> ExitCode.UNREACHABLE;
    };
  }
}
