package dev.handoff.cli;

import dev.handoff.plan.ChangesetInfo;
import dev.handoff.plan.PlanInfo;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Readable authors of changesets: a conflict names users and steps instead of ids.
///
/// @param makers changesets by id
record ConflictSides(Map<String, ChangesetInfo> makers) {

  static ConflictSides of(PlanInfo plan) {
    return new ConflictSides(
        plan.changesets().stream()
            .collect(Collectors.toMap(ChangesetInfo::id, Function.identity(), (one, same) -> one)));
  }

  /// Text such as `step look/fonts` or `changeset c1 by anna`.
  String of(String changeset) {
    var set = makers.get(changeset);
    if (set == null) {
      return "changeset " + TerminalText.line(changeset);
    }
    return set.step()
        .map(step -> "step " + TerminalText.line(step))
        .orElseGet(
            () ->
                "changeset %s by %s"
                    .formatted(
                        TerminalText.line(changeset), TerminalText.brief(set.by().orElse(""), 40)));
  }
}
