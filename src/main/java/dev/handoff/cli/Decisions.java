package dev.handoff.cli;

import dev.handoff.DecisionInfo;

/// What was decided about conflicts, in words.
final class Decisions {

  private Decisions() {}

  /// How, by whom and when.
  static String words(DecisionInfo decision) {
    var how =
        switch (decision.choice()) {
          case "ours" -> "as the changes that came first have left it (--ours)";
          case "theirs" -> "as the later change has left it (--theirs)";
          default -> "as a file of its own has it (--content)";
        };
    return "%s, by %s, %s"
        .formatted(how, Plain.brief(decision.by(), 40), JobTable.time(decision.at()));
  }
}
