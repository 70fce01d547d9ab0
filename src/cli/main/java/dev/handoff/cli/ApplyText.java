package dev.handoff.cli;

import dev.handoff.cli.Screen.Style;
import dev.handoff.plan.ApplyAnswer;
import java.util.List;

/// Readable outcome of an apply.
///
/// @param again follow-up commands for the plan
record ApplyText(NextCommand again, Screen screen) {

  private static final int MOST_FILES = 100;

  /// Lines with line ends.
  String of(ApplyAnswer answer) {
    return switch (answer) {
      case ApplyAnswer.Applied(var target, var files) ->
          files(files)
              + "%s to %s: %s\n"
                  .formatted(
                      screen.styled(Style.GREEN, "applied"),
                      TerminalText.line(target),
                      PlanText.count(files.size(), "file"));
      case ApplyAnswer.Possible(var target, var files) ->
          files(files)
              + "%s would be written to %s; nothing was\n"
                  .formatted(PlanText.count(files.size(), "file"), TerminalText.line(target));
      case ApplyAnswer.Conflicted(var target, var problems) ->
          problems(problems)
              + "nothing was written to %s\n".formatted(TerminalText.line(target))
              + remedy(problems);
      case ApplyAnswer.AlreadyApplied(var target, var apply) ->
          "%s has all of it already%s\n"
              .formatted(
                  TerminalText.line(target),
                  apply.map(one -> ", since " + JobTable.time(one.at())).orElse(""));
      case ApplyAnswer.NothingToApply none ->
          "nothing to apply: no committed changeset has a change in it\n";
      case ApplyAnswer.Undone(var target, var reason, boolean isAsBefore) ->
          "%s: %s\n".formatted(screen.styled(Style.RED, "not applied"), TerminalText.line(reason))
              + (isAsBefore ? "%s is as it was before\n".formatted(TerminalText.line(target)) : "");
      case ApplyAnswer.Busy(var target) ->
          "not now: the plan is being applied to %s; if that does not end, the log says why\n"
              .formatted(TerminalText.line(target));
      case ApplyAnswer.NotPossible(var reason) ->
          "not possible: %s\n".formatted(TerminalText.line(reason));
      case ApplyAnswer.NotFound(var id) -> "plan %s does not exist\n".formatted(id);
      case ApplyAnswer.Unavailable(var reason, var retryAfter) ->
          "the result is unknown: %s; repeat the command, which is safe\n"
              .formatted(TerminalText.line(reason));
    };
  }

  private String files(List<ApplyAnswer.File> files) {
    var text = new StringBuilder();
    for (var file : files.subList(0, Math.min(MOST_FILES, files.size()))) {
      text.append("  %-9s %s\n".formatted(file.what(), TerminalText.line(file.path())));
    }
    if (files.size() > MOST_FILES) {
      text.append("  … and %,d more\n".formatted(files.size() - MOST_FILES));
    }
    return text.toString();
  }

  private String problems(List<ApplyAnswer.Problem> problems) {
    var text = new StringBuilder();
    for (var problem : problems.subList(0, Math.min(MOST_FILES, problems.size()))) {
      text.append(
          "%s in %s: %s%s\n"
              .formatted(
                  screen.styled(Style.RED, "conflict"),
                  TerminalText.line(problem.path()),
                  TerminalText.line(problem.found()),
                  problem.steps().isEmpty()
                      ? ""
                      : " (%s)".formatted(TerminalText.line(String.join(", ", problem.steps())))));
    }
    if (problems.size() > MOST_FILES) {
      text.append("… and %,d more\n".formatted(problems.size() - MOST_FILES));
    }
    problems.stream()
        .filter(problem -> !problem.steps().isEmpty())
        .findFirst()
        .ifPresent(
            problem ->
                text.append("decide with: ").append(again.resolve(problem.path())).append('\n'));
    return text.toString();
  }

  /// Advice for problems that cannot be resolved by a decision.
  private static String remedy(List<ApplyAnswer.Problem> problems) {
    return problems.stream().anyMatch(problem -> problem.steps().isEmpty())
        ? "files that differ from what the plan expects are not touched: restore them, and apply"
            + " again\n"
        : "";
  }
}
