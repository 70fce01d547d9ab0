package dev.handoff.cli;

import dev.handoff.HandoffReader;
import dev.handoff.json.ChangesJson;
import dev.handoff.json.JobJson;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.UnreadableChanges;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Command `plan show`: shows a plan in full.
@Command(
    name = "show",
    description =
        "Shows one plan with its steps, its changesets and where they were applied. Only reads: no"
            + " engine may have the store open.")
final class PlanShowCommand implements Callable<Integer> {

  @Mixin private PlanIdOption plan = new PlanIdOption();

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private final ProgramStreams streams;

  PlanShowCommand(ProgramStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    var id = plan.id();
    try (var reader = store.read()) {
      var info = reader.plan(id).orElseThrow(() -> plan.missing(reader, store.again()));
      streams.out().print(common.json ? json(reader, info) : text(reader, info));
    }
    return ExitCode.OK;
  }

  private String text(HandoffReader reader, PlanInfo info) {
    return PlanText.of(
        new PlanText.Told(info, conflicts(reader, info), NextCommand.of(info, store)),
        streams.screenOnOut());
  }

  private static String json(HandoffReader reader, PlanInfo info) {
    var json = JobJson.write(info);
    var conflicts = json.putArray("conflicts");
    conflicts(reader, info).forEach(conflict -> conflicts.add(ChangesJson.write(conflict)));
    return JsonText.of(json) + "\n";
  }

  /// Conflicts of the root plan, which owns the changes. Unreadable changes are left to `verify`.
  private static List<PlanConflict.Entry> conflicts(HandoffReader reader, PlanInfo info) {
    if (info.changesets().isEmpty()) {
      return List.of();
    }
    try {
      return reader.conflicts(info.id()).orElse(List.of()).stream()
          .map(PlanConflict::entry)
          .toList();
    } catch (UnreadableChanges damaged) {
      return List.of();
    }
  }
}
