package dev.handoff.cli;

import dev.handoff.HandoffReader;
import dev.handoff.json.ChangesJson;
import dev.handoff.plan.ChangesetInfo;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Command `plan diff`: shows the changes of a plan.
@Command(
    name = "diff",
    description =
        "Shows all committed changes of a plan as a unified diff for git apply and patch -p1. Only"
            + " reads: no engine may have the store open.")
final class PlanDiffCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private PlanIdOption plan = new PlanIdOption();

  @Option(
      names = "--changeset",
      paramLabel = "C",
      description = "Only this changeset, committed or open.")
  private @Nullable String changeset;

  @Option(
      names = "--step",
      paramLabel = "STEP",
      description = "Only this step; below a child plan, PLAN/STEP.")
  private @Nullable String step;

  @Option(names = "--stat", description = "Only the changed files and their line counts.")
  private boolean stat;

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final ProgramStreams streams;

  PlanDiffCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    var id = plan.id();
    if (changeset != null && step != null) {
      throw new ParameterException(
          spec.commandLine(), "--changeset and --step exclude each other: name one of them");
    }
    try (var reader = store.read()) {
      var info = reader.plan(id).orElseThrow(() -> plan.missing(reader, store.again()));
      print(diff(reader, info), root(reader, info));
    }
    return ExitCode.OK;
  }

  private PlanDiff diff(HandoffReader reader, PlanInfo info) {
    if (changeset != null) {
      return reader.diff(info.id(), changeset).orElseThrow(() -> noChangeset(info));
    }
    if (step != null) {
      if (!paths(info, "").contains(step)) {
        throw new CommandFailedException(
            ExitCode.NOT_FOUND,
            "plan %s has no step \"%s\"; it has: %s"
                .formatted(info.id(), step, some(paths(info, ""))));
      }
      return reader.diffOfStep(info.id(), step).orElseThrow();
    }
    return reader.diff(info.id()).orElseThrow();
  }

  private static PlanInfo root(HandoffReader reader, PlanInfo info) {
    return info.root().flatMap(reader::plan).orElse(info);
  }

  private CommandFailedException noChangeset(PlanInfo info) {
    var ids = new ArrayList<>(info.changesets().stream().map(ChangesetInfo::id).toList());
    info.openChangesets().forEach(open -> ids.add(open.id()));
    return new CommandFailedException(
        ExitCode.NOT_FOUND,
        "plan %s has no changeset \"%s\"; it has: %s".formatted(info.id(), changeset, some(ids)));
  }

  private static List<String> paths(PlanInfo plan, String at) {
    var paths = new ArrayList<String>();
    for (var one : plan.steps()) {
      paths.add(at + one.name());
      one.plan().ifPresent(child -> paths.addAll(paths(child, at + one.name() + "/")));
    }
    return paths;
  }

  static String some(List<String> names) {
    return names.isEmpty()
        ? "none"
        : String.join(", ", names.subList(0, Math.min(10, names.size())))
            + (names.size() > 10 ? ", and %d more".formatted(names.size() - 10) : "");
  }

  /// @param root root plan, which owns the changes
  private void print(PlanDiff diff, PlanInfo root) {
    if (common.json) {
      var json = ChangesJson.write(diff);
      if (stat) {
        json.remove("text");
      }
      streams.out().println(JsonText.of(json));
      return;
    }
    var screen = streams.screenOnOut();
    streams.out().print(stat ? DiffPrinter.stat(diff, screen) : DiffPrinter.of(diff, screen));
    DiffPrinter.conflicts(diff, ConflictSides.of(root)).forEach(streams.err()::println);
    if (!diff.conflicts().isEmpty()) {
      var path = diff.conflicts().getFirst().path();
      streams.err().println("decide with: " + NextCommand.of(root, store).resolve(path));
    }
  }
}
