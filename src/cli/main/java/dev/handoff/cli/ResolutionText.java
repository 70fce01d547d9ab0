package dev.handoff.cli;

import dev.handoff.plan.PlanInfo;

/// Readable conflict resolutions.
final class ResolutionText {

  private ResolutionText() {}

  /// Choice, author and time of a resolution.
  static String words(PlanInfo.Decision decision) {
    var how =
        switch (decision.choice()) {
          case "ours" -> "the content of the earlier changes (--ours)";
          case "theirs" -> "the content of the later change (--theirs)";
          default -> "the content of a file (--content)";
        };
    return "%s, by %s, %s"
        .formatted(how, TerminalText.brief(decision.by(), 40), JobTable.time(decision.at()));
  }
}
