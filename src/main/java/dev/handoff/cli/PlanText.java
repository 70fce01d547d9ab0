package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.PlanInfo;
import dev.handoff.cli.Screen.Style;
import dev.handoff.plan.Applied;
import dev.handoff.plan.OpenSet;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.change.Changeset;
import dev.handoff.plan.change.Maker;
import org.jspecify.annotations.Nullable;

/// One plan in full, to be read by people.
final class PlanText {

  private final PlanInfo plan;
  private final Screen screen;
  private final StringBuilder text = new StringBuilder();

  private PlanText(PlanInfo plan, Screen screen) {
    this.plan = plan;
    this.screen = screen;
  }

  static String of(PlanInfo plan, Screen screen) {
    var text = new PlanText(plan, screen);
    text.request();
    text.steps();
    text.changesets();
    text.applied();
    return text.text.toString();
  }

  private void request() {
    var spec = plan.state().spec();
    field("plan", plan.id().value());
    field("name", Plain.line(plan.name()));
    field("status", screen.styled(styleOf(plan.status()), plan.status().label()));
    field("reason", plan.reason().map(Plain::line).orElse(null));
    field("step", spec.origin() == null ? null : parent(spec.origin()));
    field("created", JobTable.time(plan.createdAt()));
    field("started", plan.startedAt().map(JobTable::time).orElse(null));
    field("finished", plan.endedAt().map(JobTable::time).orElse(null));
    field("deadline", spec.deadline() == null ? null : Durations.format(spec.deadline()));
    field(
        "at once",
        "%d steps%s"
            .formatted(
                spec.maxParallel(),
                spec.failFast() ? ", the first failure stops all of them" : ""));
  }

  private static String parent(dev.handoff.plan.PlanSpec.Origin origin) {
    return "%s of plan %s".formatted(Plain.line(origin.path()), origin.root());
  }

  private void steps() {
    heading("steps: %d of %d done".formatted(plan.done(), plan.size()));
    line(StepTable.of(plan, screen));
  }

  private void changesets() {
    if (!plan.changesets().isEmpty()) {
      heading("changesets");
      plan.changesets().forEach(set -> line(words(set)));
    }
    if (!plan.openChangesets().isEmpty()) {
      heading("open changesets");
      plan.openChangesets().forEach(set -> line(words(set)));
    }
  }

  private static String words(Changeset set) {
    return "%s  %s  %s, %s  %s%s"
        .formatted(
            Plain.line(set.id()),
            JobTable.time(set.at()),
            count(set.changes(), "change"),
            by(set.by()),
            Plain.brief(set.label(), 60),
            set.decisions() == 0 ? "" : "  (%s)".formatted(count(set.decisions(), "decision")))
        .stripTrailing();
  }

  private static String by(Maker by) {
    return by.step() == null
        ? "by " + Plain.brief(String.valueOf(by.caller()), 40)
        : "step %s, attempt %d".formatted(Plain.line(by.step()), by.attempt());
  }

  private static String words(OpenSet set) {
    return "%s  %s  %s, by %s  %s"
        .formatted(
            Plain.line(set.id()),
            JobTable.time(set.at()),
            count(set.entries().size(), "change"),
            Plain.brief(set.by(), 40),
            Plain.brief(set.label(), 60))
        .stripTrailing();
  }

  private void applied() {
    var applying = plan.state().book().applying();
    if (!plan.applied().isEmpty() || applying != null) {
      heading("applied");
      plan.applied().forEach(apply -> line(words(apply)));
      if (applying != null) {
        line("being applied to " + Plain.line(applying.target()));
      }
    }
  }

  private static String words(Applied apply) {
    return "%s  %s, %s  to %s"
        .formatted(
            JobTable.time(apply.at()),
            count(apply.sets(), "changeset"),
            count(apply.files(), "file"),
            Plain.line(apply.target()));
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
