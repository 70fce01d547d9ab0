package dev.handoff.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.handoff.HandoffReader;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanPage;
import dev.handoff.plan.PlanStatus;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Command `plan list`: lists the plans of a store without an engine.
@Command(
    name = "list",
    description =
        "Lists plans, newest first; child plans are shown with their parent (plan show). OWN STEPS"
            + " are the ended steps and all steps of the plan itself: a child plan counts as one."
            + " Only reads: no engine may have the store open.")
final class PlanListCommand implements Callable<Integer> {

  private static final List<String> HEAD =
      List.of("ID", "STATUS", "NAME", "OWN STEPS", "CHANGES", "CREATED", "FINISHED");

  @Spec private CommandSpec spec;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Maximum number of entries, up to 10000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description =
          "Only plans with this status: waiting, running, cancelling, failing, succeeded, failed or"
              + " cancelled.")
  private @Nullable String status;

  @Option(
      names = "--after",
      paramLabel = "ID",
      description = "Continue after this plan, the last one of the previous page.")
  private @Nullable String after;

  private final ProgramStreams streams;

  PlanListCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    if (limit < 1 || limit > HandoffReader.MAX_LIMIT) {
      throw misuse("--limit must be 1 to %d, was %d".formatted(HandoffReader.MAX_LIMIT, limit));
    }
    var wanted = Optional.ofNullable(status).map(this::statusOf);
    var cursor = Optional.ofNullable(after).map(this::id);
    try (var reader = store.read()) {
      var page = reader.plans(wanted, cursor, limit);
      if (common.json) {
        printJson(page);
      } else {
        printTable(page);
      }
    }
    return ExitCode.OK;
  }

  private void printJson(PlanPage page) {
    var array = JsonNodeFactory.instance.arrayNode();
    for (var plan : page.plans()) {
      array
          .addObject()
          .put("id", plan.id().value())
          .put("name", plan.name())
          .put("status", plan.status().label())
          .put("steps", plan.steps())
          .put("done", plan.done())
          .put("changes", plan.changes())
          .put("createdAt", plan.createdAt().toString())
          .put("finishedAt", plan.finishedAt().map(Instant::toString).orElse(null));
    }
    streams.out().println(JsonText.of(array));
  }

  private void printTable(PlanPage page) {
    if (page.plans().isEmpty()) {
      streams.out().println("no plans");
      return;
    }
    var table = new TextTable(HEAD);
    page.plans().forEach(plan -> row(table, plan));
    streams.out().print(table.draw(streams.screenOnOut()));
    page.next().ifPresent(last -> streams.out().println("more: " + more(last.toString())));
  }

  /// Command for the next page.
  private String more(String last) {
    return "handoff plan list --after %s --limit %d".formatted(last, limit)
        + (status == null ? "" : NextCommand.option("--status", status))
        + store.again();
  }

  private static void row(TextTable table, PlanPage.Overview plan) {
    table.row(
        TextTable.cell(plan.id().value()),
        TextTable.cell(plan.status().label(), PlanText.styleOf(plan.status())),
        TextTable.cell(TerminalText.brief(plan.name(), 40)),
        TextTable.cell("%d/%d".formatted(plan.done(), plan.steps())),
        TextTable.cell(Integer.toString(plan.changes())),
        TextTable.cell(JobTable.time(plan.createdAt())),
        TextTable.cell(plan.finishedAt().map(JobTable::time).orElse("")));
  }

  private PlanStatus statusOf(String name) {
    return PlanStatus.of(name)
        .orElseThrow(
            () ->
                misuse(
                    "--status: status \"%s\" does not exist; known: %s"
                        .formatted(
                            name,
                            Arrays.stream(PlanStatus.values())
                                .map(PlanStatus::label)
                                .collect(Collectors.joining(", ")))));
  }

  private PlanId id(String text) {
    try {
      return new PlanId(text);
    } catch (IllegalArgumentException notOne) {
      throw misuse("--after: " + notOne.getMessage());
    }
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
