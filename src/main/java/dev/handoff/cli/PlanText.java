package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.PlanInfo;
import dev.handoff.cli.Screen.Style;
import dev.handoff.plan.Applied;
import dev.handoff.plan.PlanSpec;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.change.Changeset;
import dev.handoff.plan.change.Conflict;
import dev.handoff.plan.change.Maker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One plan in full, to be read by people.
final class PlanText {

  /// @param conflicts that nobody has decided
  /// @param again how the plan is named in commands
  record Told(PlanInfo plan, List<Conflict> conflicts, Again again) {}

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
    var spec = plan.state().spec();
    field("plan", plan.id().value());
    field("name", Plain.line(plan.name()));
    field("status", screen.styled(styleOf(plan.status()), plan.status().label()) + nobody());
    field("reason", plan.reason().map(Ends::told).orElse(null));
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

  /// Whoever can look into the store knows that no engine has it.
  private String nobody() {
    if (plan.status().isTerminal() || spec().origin() != null) {
      return "";
    }
    return OpenSets.keeps(plan)
        ? ", until its open changesets are closed or discarded (%s)"
            .formatted(
                told.again().plan("close", Again.word(plan.openChangesets().getFirst().id())))
        : ", but nobody runs it now (to go on: %s)".formatted(told.again().retry());
  }

  private PlanSpec spec() {
    return plan.state().spec();
  }

  private static String parent(PlanSpec.Origin origin) {
    return "%s of plan %s".formatted(Plain.line(origin.path()), origin.root());
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
                count(counts.all(), "step"),
                counts.all() == plan.steps().size() ? "" : ", those of child plans included",
                String.join(", ", parts)));
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
      plan.openChangesets().forEach(set -> line(OpenSets.words(set)));
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

  private void conflicts() {
    if (!told.conflicts().isEmpty()) {
      var sides = Sides.of(plan);
      heading("in conflict");
      told.conflicts().forEach(one -> line(DiffText.conflict(one, sides)));
      line("decide with: " + told.again().resolve(told.conflicts().getFirst().path()));
    }
    var decisions = plan.state().book().resolutions();
    if (!decisions.isEmpty()) {
      heading("decided");
      decisions.forEach(one -> line(Plain.line(one.path()) + ": " + Decisions.words(one)));
    }
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
