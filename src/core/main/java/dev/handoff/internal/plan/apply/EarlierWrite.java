package dev.handoff.internal.plan.apply;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.plan.change.CombinedChange;
import dev.handoff.internal.plan.change.CombinedChanges;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Present state of a plan's earlier writes in a directory.
///
/// @param there earlier changes that were not reverted. Reverted files are missing here, so they
///   are written again.
/// @param altered files that have neither their old nor their written content
record EarlierWrite(CombinedChanges there, List<FileConflict> altered) {

  static final EarlierWrite NOTHING = new EarlierWrite(net(List.of()), List.of());

  /// Compares the earlier writes with the directory. Blocks.
  static EarlierWrite of(CombinedChanges written, String target) {
    var edits = written.differences();
    var stop = new CancellationSource().token();
    return switch (EditableDirectory.at(Path.of(target)).check(edits, stop)) {
      case DryRunResult.Already already -> new EarlierWrite(written, List.of());
      case DryRunResult.Refused refused -> new EarlierWrite(written, List.of());
      case DryRunResult.Fits reset -> NOTHING;
      case DryRunResult.Conflicted(var conflicts) -> of(written, conflicts);
    };
  }

  private static EarlierWrite of(CombinedChanges written, List<FileConflict> conflicts) {
    var found = new HashMap<String, FileConflict>();
    conflicts.forEach(conflict -> found.put(conflict.path(), conflict));
    var there = written.changes().stream().filter(file -> found.containsKey(file.path())).toList();
    var altered =
        there.stream()
            .filter(file -> found.get(file.path()).found() != Obstacle.ALREADY)
            .map(file -> found.get(file.path()).expecting(file.now()))
            .toList();
    return new EarlierWrite(net(there), altered);
  }

  private static CombinedChanges net(List<CombinedChange> changes) {
    return new CombinedChanges(changes, List.of(), Map.of());
  }
}
