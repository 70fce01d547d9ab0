package dev.handoff.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.handoff.cli.Screen.Style;
import dev.handoff.internal.text.Durations;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Comparison of the demo's expectations with its stored data.
///
/// @param problems deviations from the expectations
record DemoReport(DemoCast cast, DemoRemains found, List<String> problems, Duration elapsed) {

  /// @param noticed problems found during the run
  static DemoReport of(DemoCast cast, DemoRemains found, List<String> noticed, Duration elapsed) {
    var problems = new ArrayList<>(noticed);
    int expected = DemoTour.JOBS + DemoSteps.COUNT;
    if (found.jobs().size() != expected) {
      problems.add("the store has %d jobs instead of %d".formatted(found.jobs().size(), expected));
    }
    for (var role : cast.roles()) {
      for (var name : role.jobs()) {
        role.differences(found.jobs().get(name))
            .forEach(difference -> problems.add(name + " " + difference));
      }
    }
    problems.addAll(cast.plan().differences(found));
    return new DemoReport(cast, found, problems, elapsed);
  }

  void print(Screen screen) {
    screen.say("\nThe engine is closed. What its store says, read back from disk:\n");
    screen.say(table(screen));
    problems.forEach(
        problem -> screen.say(screen.styled(Style.RED, "not as announced: " + problem)));
    if (problems.isEmpty()) {
      screen.say(
          "All %d jobs and the plan of %d steps came out as announced, in %s."
              .formatted(DemoTour.JOBS, DemoSteps.COUNT, Durations.format(elapsed)));
    }
  }

  JsonNode json() {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("jobs", found.jobs().size() - steps());
    json.set("plan", found.plan() == null ? null : plan(found.plan(), found.verdict()));
    json.put("asAnnounced", problems.isEmpty());
    json.put("seconds", elapsed.toMillis() / 1000.0);
    problems.forEach(json.putArray("problems")::add);
    return json;
  }

  private static ObjectNode plan(PlanInfo plan, @Nullable ChainVerdict verdict) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("id", plan.id().value());
    json.put("name", plan.name());
    json.put("status", plan.status().label());
    json.put("steps", plan.size());
    json.put("changesets", plan.changesets().size());
    json.put("applied", plan.applied().size());
    json.put("intact", verdict instanceof ChainVerdict.Intact);
    json.put("head", verdict instanceof ChainVerdict.Intact intact ? intact.head() : null);
    return json;
  }

  private int steps() {
    return found.plan() == null ? 0 : found.plan().size();
  }

  private String table(Screen screen) {
    var table = new TextTable(List.of("JOBS", "ANNOUNCED TO", "CAME OUT", "ATTEMPTS", ""));
    for (var role : cast.roles()) {
      table.row(
          TextTable.cell(role.who()),
          TextTable.cell(role.announced()),
          TextTable.cell(outcome(role), JobTable.styleOf(role.status())),
          TextTable.cell(role.attempts().isEmpty() ? "none" : role.attempts().size() + " each"),
          sign(
              role.jobs().stream()
                  .allMatch(name -> role.differences(found.jobs().get(name)).isEmpty())));
    }
    table.row(
        TextTable.cell("the whole plan"),
        TextTable.cell("be written, and be intact"),
        outcome(found),
        TextTable.cell(""),
        sign(cast.plan().differences(found).isEmpty()));
    return table.draw(screen);
  }

  private static TextTable.Cell sign(boolean fine) {
    return fine ? TextTable.cell("ok", Style.GREEN) : TextTable.cell("NO", Style.RED);
  }

  private String outcome(DemoRole role) {
    long as =
        role.jobs().stream()
            .filter(name -> found.jobs().containsKey(name))
            .filter(name -> found.jobs().get(name).status() == role.status())
            .count();
    return "%d of %d %s".formatted(as, role.jobs().size(), role.status().label());
  }

  private static TextTable.Cell outcome(DemoRemains found) {
    if (found.plan() == null) {
      return TextTable.cell("not there", Style.RED);
    }
    var intact = found.verdict() instanceof ChainVerdict.Intact ? "intact" : "altered";
    return TextTable.cell(
        found.plan().status().label() + ", " + intact, PlanText.styleOf(found.plan().status()));
  }
}
