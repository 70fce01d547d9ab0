package dev.handoff.cli;

import dev.handoff.cli.Screen.Style;
import dev.handoff.internal.text.Durations;
import dev.handoff.plan.ChangesetInfo;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Full description of a plan for users.
final class PlanText {

  /// @param conflicts unresolved conflicts
  /// @param again follow-up commands for the plan
  record Told(PlanInfo plan, List<PlanConflict.Entry> conflicts, NextCommand again) {}

  private final Told told;
  private final PlanInfo plan;
  private final Screen screen;
  private final StringBuilder text = new StringBuilder();

  private PlanText(Told told, Screen screen) {
    this.told = told;
    this.plan = told.plan();
    this.screen = screen;
  }

  static String of(Told told, Screen screen) {
    var text = new PlanText(told, screen);
    text.request();
    text.steps();
    text.changesets();
    text.conflicts();
    text.applied();
    return text.text.toString();
  }

  private void request() {
    field("plan", plan.id().value());
    field("name", TerminalText.line(plan.name()));
    field("status", screen.styled(styleOf(plan.status()), plan.status().label()) + nobody());
    field("reason", plan.reason().map(JobEndText::told).orElse(null));
    field("step", plan.root().map(this::parent).orElse(null));
    field("created", JobTable.time(plan.createdAt()));
    field("started", plan.startedAt().map(JobTable::time).orElse(null));
    field("finished", plan.finishedAt().map(JobTable::time).orElse(null));
    field("deadline", plan.deadline().map(Durations::exact).orElse(null));
    field(
        "at once",
        "%d steps%s"
            .formatted(
                plan.maxParallel(),
                plan.failFast() ? ", the first failure stops all of them" : ""));
  }

  /// Note about an unfinished plan. A readable store has no engine, so no process runs the plan.
  private String nobody() {
    if (plan.status().isTerminal() || plan.root().isPresent()) {
      return "";
    }
    return OpenChangesetText.keeps(plan)
        ? ", until its open changesets are closed or discarded (%s)"
            .formatted(
                told.again().plan("close", NextCommand.word(plan.openChangesets().getFirst().id())))
        : ", but no engine runs it now (to go on: %s)".formatted(told.again().retry());
  }

  private String parent(PlanId root) {
    return "%s of plan %s".formatted(TerminalText.line(plan.path().orElseThrow()), root);
  }

  private void steps() {
    var counts = StepCounts.of(plan);
    var parts = new ArrayList<String>();
    add(parts, counts.succeeded(), "succeeded");
    add(parts, counts.failed(), "failed");
    add(parts, counts.cancelled(), "cancelled");
    add(parts, counts.running(), "running");
    add(parts, counts.waiting(), "waiting");
    heading(
        "%s%s: %s"
            .formatted(
                count(counts.all(), "step"), StepCounts.included(plan), String.join(", ", parts)));
    line(StepTable.of(plan, screen));
  }

  private static void add(List<String> parts, int number, String what) {
    if (number > 0) {
      parts.add("%,d %s".formatted(number, what));
    }
  }

  private void changesets() {
    if (!plan.changesets().isEmpty()) {
      heading("changesets");
      plan.changesets().forEach(set -> line(words(set)));
    }
    if (!plan.openChangesets().isEmpty()) {
      heading("open changesets");
      plan.openChangesets().forEach(set -> line(OpenChangesetText.words(set)));
    }
  }

  private static String words(ChangesetInfo set) {
    return "%s  %s  %s, %s  %s%s"
        .formatted(
            TerminalText.line(set.id()),
            JobTable.time(set.at()),
            count(set.changes(), "change"),
            by(set),
            TerminalText.brief(set.label(), 60),
            set.decisions() == 0 ? "" : "  (%s)".formatted(count(set.decisions(), "decision")))
        .stripTrailing();
  }

  private static String by(ChangesetInfo set) {
    return set.step()
        .map(
            step ->
                "step %s, attempt %d".formatted(TerminalText.line(step), set.attempt().orElse(0)))
        .orElseGet(() -> "by " + TerminalText.brief(set.by().orElse(""), 40));
  }

  private void conflicts() {
    if (!told.conflicts().isEmpty()) {
      var sides = ConflictSides.of(plan);
      heading("in conflict");
      told.conflicts().forEach(one -> line(DiffPrinter.conflict(one, sides)));
      line("decide with: " + told.again().resolve(told.conflicts().getFirst().path()));
    }
    var decisions = plan.decisions();
    if (!decisions.isEmpty()) {
      heading("decided");
      decisions.forEach(
          one -> line(TerminalText.line(one.path()) + ": " + ResolutionText.words(one)));
    }
  }

  private void applied() {
    if (!plan.applied().isEmpty() || plan.applying().isPresent()) {
      heading("applied");
      plan.applied().forEach(apply -> line(words(apply)));
      plan.applying().ifPresent(target -> line("being applied to " + TerminalText.line(target)));
    }
  }

  private static String words(PlanInfo.Applied apply) {
    return "%s  %s, %s  to %s"
        .formatted(
            JobTable.time(apply.at()),
            count(apply.changesets(), "changeset"),
            count(apply.files(), "file"),
            TerminalText.line(apply.target()));
  }

  static String count(long number, String what) {
    return "%,d %s%s".formatted(number, what, number == 1 ? "" : "s");
  }

  static Style styleOf(PlanStatus status) {
    return switch (status) {
      case SUCCEEDED -> Style.GREEN;
      case FAILED, FAILING -> Style.RED;
      case CANCELLED, CANCELLING -> Style.YELLOW;
      case RUNNING -> Style.CYAN;
      case WAITING -> Style.DIM;
    };
  }

  private void field(String name, @Nullable String value) {
    if (value != null) {
      text.append(screen.styled(Style.DIM, "%-10s".formatted(name)))
          .append("  ")
          .append(value)
          .append('\n');
    }
  }

  private void heading(String name) {
    text.append('\n').append(screen.styled(Style.BOLD, name)).append('\n');
  }

  private void line(String lines) {
    lines.lines().forEach(line -> text.append("  ").append(line).append('\n'));
  }
}
