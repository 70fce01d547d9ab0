package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.StoreSettings;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.context.Assembled;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.PipelinePart.StrategyExecutor.Outcome;
import dev.handoff.json.ContextJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Command `context`: assembles context for a question from a directory, within a token budget.
@Command(
    name = "context",
    description =
        "Finds the parts of a directory that answer a question, and prints the best within a"
            + " token budget. Indexes the directory at the first question.",
    footer = {"", "Example: handoff context \"where is a job claimed\" --root . --budget 4000"})
final class ContextCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(paramLabel = "QUERY", description = "The question or the task, in plain words.")
  private String query;

  @Option(
      names = "--root",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "The directory to search (default: ${DEFAULT-VALUE}).")
  private Path root;

  @Option(
      names = "--budget",
      paramLabel = "N",
      defaultValue = "8000",
      description = "Maximum number of tokens of the context (default: ${DEFAULT-VALUE}).")
  private int budget;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      split = ",",
      description = {
        "Use only this strategy; may be repeated for several.",
        "simple-keyword, semantic-embedding, breadth-depth-navigator,",
        "arce, temporal-archaeology; the first three are on by default.",
        "plan-decision-context works only in steps of plans."
      })
  private List<String> strategies = new ArrayList<>();

  @Option(
      names = "--explain",
      description = "Explain the result: strategies, shares, scores, what was left out.")
  private boolean explain;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = {
        "Keep the index in this directory, beside a store, for the next question",
        "(default: in memory)."
      })
  private @Nullable Path data;

  private final ProgramStreams streams;

  ContextCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    var stop = new CancellationSource();
    var signals =
        StopSignals.passTo(
            signal -> stop.cancel(stopped(signal)),
            () -> streams.err().println("stopped at once; nothing was found yet"));
    try (var handoff = engine()) {
      var answer = handoff.assemble(request(), stop.token()).toCompletableFuture();
      return print(QuietWait.of(screen(), words()).until(answer));
    } finally {
      signals.close();
    }
  }

  private Screen screen() {
    return common.json ? new Screen(streams.err(), TerminalSetup.NONE) : streams.screenOnErr();
  }

  private String words() {
    return "looking in %s; its first question reads all files"
        .formatted(TerminalText.line(root.toString()));
  }

  private static Cancellation stopped(String signal) {
    return new Cancellation(Cancellation.Cause.REQUESTED, "stopped by " + signal, "terminal");
  }

  private Handoff engine() {
    var builder = Handoff.builder().store(new StoreSettings.Memory()).partitions(1).workers(1);
    return (data == null
            ? builder
            : builder.set("context.workspace.directory", data.resolve("context").toString()))
        .start();
  }

  private ContextRequest request() {
    return ContextRequest.of(query, root)
        .budget(budget)
        .strategies(strategies.toArray(String[]::new));
  }

  private int print(ContextAnswer answer) {
    return switch (answer) {
      case Assembled assembled -> print(assembled);
      case ContextAnswer.Invalid(var reason) -> refuse(ExitCode.USAGE, reason);
      case ContextAnswer.NoWorkspace(var reason) -> refuse(ExitCode.NOT_FOUND, reason);
      case ContextAnswer.Cancelled(var reason, var report) ->
          refuse(ExitCode.INTERRUPTED, reason, report);
      case ContextAnswer.Failed(var reason, var report) -> refuse(ExitCode.FAILED, reason, report);
      case ContextAnswer.Unavailable(var reason, var later) -> refuse(ExitCode.FAILED, reason);
      case ContextAnswer.NotInstalled missing -> refuse(ExitCode.FAILED, missing.reason());
    };
  }

  private int print(Assembled context) {
    if (common.json) {
      streams.out().println(JsonText.of(ContextJson.write(context)));
      return ExitCode.OK;
    }
    streams.out().print(TerminalText.lines(context.text().replace("\r\n", "\n")));
    if (context.fragments().isEmpty() && !context.report().scores().isEmpty()) {
      streams
          .err()
          .printf(
              "handoff: %d files were found, and none fits into %d tokens: raise --budget%n",
              context.report().scores().size(), budget);
    }
    if (explain) {
      streams.out().print(ContextExplanation.of(context, streams.screenOnOut()));
    } else {
      context.report().strategies().stream()
          .filter(one -> !one.detail().isEmpty())
          .filter(one -> !one.outcome().isFine())
          .filter(one -> one.outcome() != Outcome.SKIPPED)
          .forEach(
              one ->
                  streams
                      .err()
                      .println(
                          "handoff: %s %s: %s"
                              .formatted(
                                  one.name(),
                                  one.outcome().label(),
                                  TerminalText.line(one.detail()))));
    }
    return ExitCode.OK;
  }

  private int refuse(int exitCode, String reason) {
    throw new CommandFailedException(exitCode, reason);
  }

  private int refuse(int exitCode, String reason, Assembled.Report report) {
    if (explain && !common.json) {
      streams.err().print(ContextExplanation.of(report, streams.screenOnErr()));
    }
    return refuse(exitCode, reason);
  }
}
