package dev.handoff.plan.apply;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.plan.change.Net;
import dev.handoff.plan.change.NetChange;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What has become in a directory of what a plan has written there before.
///
/// @param there what is still as it was written. What somebody has put back to what it was before
///   that is missing here, and is written again
/// @param altered what is neither
record Standing(Net there, List<FileConflict> altered) {

  static final Standing NOTHING = new Standing(net(List.of()), List.of());

  /// Blocks.
  static Standing of(Net written, String target) {
    var edits = written.differences().stream().map(FileEdit::of).toList();
    var stop = new CancellationSource().token();
    return switch (Directory.at(Path.of(target)).check(edits, stop)) {
      case Checked.Already already -> new Standing(written, List.of());
      case Checked.Refused refused -> new Standing(written, List.of());
      case Checked.Fits reset -> NOTHING;
      case Checked.Conflicted(var conflicts) -> of(written, conflicts);
    };
  }

  private static Standing of(Net written, List<FileConflict> conflicts) {
    var found = new HashMap<String, FileConflict>();
    conflicts.forEach(conflict -> found.put(conflict.path(), conflict));
    var there = written.changes().stream().filter(file -> found.containsKey(file.path())).toList();
    var altered =
        there.stream()
            .filter(file -> found.get(file.path()).found() != Found.ALREADY)
            .map(file -> found.get(file.path()).expecting(file.now()))
            .toList();
    return new Standing(net(there), altered);
  }

  private static Net net(List<NetChange> changes) {
    return new Net(changes, List.of(), Map.of());
  }
}
