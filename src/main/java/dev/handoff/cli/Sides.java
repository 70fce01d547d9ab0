package dev.handoff.cli;

import dev.handoff.ChangesetInfo;
import dev.handoff.PlanInfo;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Who made the changesets of a plan, in words: a conflict is between people and steps, not between
/// ids.
///
/// @param makers by the id of the changeset
record Sides(Map<String, ChangesetInfo> makers) {

  static Sides of(PlanInfo plan) {
    return new Sides(
        plan.changesets().stream()
            .collect(Collectors.toMap(ChangesetInfo::id, Function.identity(), (one, same) -> one)));
  }

  /// Such as `step look/fonts`, or `changeset c1 by anna`.
  String of(String changeset) {
    var set = makers.get(changeset);
    if (set == null) {
      return "changeset " + Plain.line(changeset);
    }
    return set.step()
        .map(step -> "step " + Plain.line(step))
        .orElseGet(
            () ->
                "changeset %s by %s"
                    .formatted(Plain.line(changeset), Plain.brief(set.by().orElse(""), 40)));
  }
}
