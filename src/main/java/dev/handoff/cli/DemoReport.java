package dev.handoff.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.handoff.Durations;
import dev.handoff.JobInfo;
import dev.handoff.cli.Screen.Style;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What was announced in the demo beside what the store says.
///
/// @param jobs as they were read back, by name
/// @param problems what is not as it was announced
record DemoReport(
    List<DemoRole> roles, Map<String, JobInfo> jobs, List<String> problems, Duration elapsed) {

  static DemoReport of(
      DemoTour tour, DemoVoice voice, Map<String, JobInfo> jobs, Duration elapsed) {
    var problems = new ArrayList<>(voice.problems());
    if (jobs.size() != DemoTour.JOBS) {
      problems.add("the store has %d jobs instead of %d".formatted(jobs.size(), DemoTour.JOBS));
    }
    for (var role : tour.roles()) {
      for (var name : role.jobs()) {
        role.differences(jobs.get(name))
            .forEach(difference -> problems.add(name + " " + difference));
      }
    }
    return new DemoReport(tour.roles(), jobs, problems, elapsed);
  }

  void print(Screen screen) {
    screen.say("\nThe engine is closed. What its store says, read back from disk:\n");
    screen.say(table(screen));
    problems.forEach(
        problem -> screen.say(screen.styled(Style.RED, "not as announced: " + problem)));
    if (problems.isEmpty()) {
      screen.say(
          "All %d jobs came out as announced, in %s."
              .formatted(jobs.size(), Durations.format(elapsed)));
    }
  }

  JsonNode json() {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("jobs", jobs.size());
    json.put("asAnnounced", problems.isEmpty());
    json.put("seconds", elapsed.toMillis() / 1000.0);
    problems.forEach(json.putArray("problems")::add);
    return json;
  }

  private String table(Screen screen) {
    var table = new Table(List.of("JOBS", "ANNOUNCED TO", "CAME OUT", "ATTEMPTS", ""));
    for (var role : roles) {
      boolean fine =
          role.jobs().stream().allMatch(name -> role.differences(jobs.get(name)).isEmpty());
      table.row(
          Table.cell(role.who()),
          Table.cell(role.announced()),
          Table.cell(outcome(role), JobTable.styleOf(role.status())),
          Table.cell(role.attempts().isEmpty() ? "none" : role.attempts().size() + " each"),
          fine ? Table.cell("ok", Style.GREEN) : Table.cell("NO", Style.RED));
    }
    return table.draw(screen);
  }

  private String outcome(DemoRole role) {
    long as =
        role.jobs().stream()
            .filter(name -> jobs.containsKey(name) && jobs.get(name).status() == role.status())
            .count();
    return "%d of %d %s".formatted(as, role.jobs().size(), role.status().label());
  }
}
