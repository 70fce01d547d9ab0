package dev.handoff.cli;

import static dev.handoff.cli.TextTable.cell;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobInfo;
import dev.handoff.cli.Screen.Style;
import dev.handoff.internal.text.Durations;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Stored data of the demo, compared with what was announced.
///
/// @param roles jobs and steps by role, in order of creation
/// @param verdict audit of the plan's changes
/// @param problems deviations from what was announced
record DemoReport(
    Map<Role, List<JobInfo>> roles, PlanInfo plan, ChainVerdict verdict, List<String> problems) {

  private static final int STEPS = 10;

  /// Announced end of a group of jobs. Each job carries it in its labels, so that the store alone
  /// shows whether it came true.
  ///
  /// @param end status and outcomes of the attempts, such as `failed: failed, timed-out`
  record Role(String who, String announced, String end) {

    /// Role of the steps without labels.
    private static final Role STEP = new Role("9 steps", "succeed at once", "succeeded: succeeded");

    static Role of(JobInfo job) {
      var labels = job.labels();
      return labels.isEmpty()
          ? STEP
          : new Role(labels.get("jobs"), labels.get("announced"), labels.get("end"));
    }

    /// End of a job, in the form of [#end()].
    static String end(JobInfo job) {
      var outcomes =
          job.attempts().stream().map(JobInfo.Attempt::outcome).map(JobInfo.AttemptOutcome::label);
      return job.status().label() + ": " + outcomes.collect(Collectors.joining(", "));
    }
  }

  static DemoReport of(HandoffReader store, PlanId id) {
    var jobs = store.jobs(JobFilter.ALL, Optional.empty(), HandoffReader.MAX_LIMIT).jobs();
    var roles = new LinkedHashMap<Role, List<JobInfo>>();
    var problems = new ArrayList<String>();
    for (var job : jobs.reversed()) {
      var role = Role.of(job);
      roles.computeIfAbsent(role, first -> new ArrayList<>()).add(job);
      compare("%s, %s".formatted(role.who(), job.id()), role.end(), Role.end(job), problems);
    }
    var plan = store.plan(id).orElseThrow();
    var verdict = store.verify(id).orElseThrow();
    compare("number of jobs", DemoTour.JOBS + STEPS, jobs.size(), problems);
    compare("status of the plan", PlanStatus.SUCCEEDED, plan.status(), problems);
    problem(verdict).ifPresent(problems::add);
    return new DemoReport(roles, plan, verdict, problems);
  }

  private static void compare(String what, Object announced, Object found, List<String> problems) {
    if (!announced.equals(found)) {
      problems.add("%s: %s instead of %s".formatted(what, found, announced));
    }
  }

  static Optional<String> problem(ChainVerdict verdict) {
    return verdict instanceof ChainVerdict.Altered altered
        ? Optional.of("the plan is altered: " + altered.what())
        : Optional.empty();
  }

  void print(Screen screen, Duration elapsed) {
    screen.say("\nThe engine is closed. What its store says, read back from disk:\n");
    screen.say(table(screen));
    problems.forEach(
        problem -> screen.say(screen.styled(Style.RED, "not as announced: " + problem)));
    if (problems.isEmpty()) {
      screen.say(
          "All %d jobs and the plan of %d steps came out as announced, in %s."
              .formatted(DemoTour.JOBS, STEPS, Durations.format(elapsed)));
    }
  }

  private String table(Screen screen) {
    var table = new TextTable(List.of("JOBS", "ANNOUNCED TO", "CAME OUT", "ATTEMPTS", ""));
    roles.forEach((role, jobs) -> row(table, role, jobs));
    var text = plan.status().label() + (isIntact() ? ", intact" : ", altered");
    table.row(
        cell("the whole plan"),
        cell("be written, and be intact"),
        cell(text, PlanText.styleOf(plan.status())),
        cell(""),
        sign(isIntact() && plan.status() == PlanStatus.SUCCEEDED));
    return table.draw(screen);
  }

  private static void row(TextTable table, Role role, List<JobInfo> jobs) {
    var status = role.end().substring(0, role.end().indexOf(':'));
    long right = jobs.stream().filter(job -> role.end().equals(Role.end(job))).count();
    table.row(
        cell(role.who()),
        cell(role.announced()),
        cell("%d of %d %s".formatted(right, jobs.size(), status), StepTable.styleOf(status)),
        cell(role.end().endsWith(": ") ? "none" : role.end().split(",").length + " each"),
        sign(right == jobs.size()));
  }

  private static TextTable.Cell sign(boolean fine) {
    return fine ? cell("ok", Style.GREEN) : cell("NO", Style.RED);
  }

  private boolean isIntact() {
    return verdict instanceof ChainVerdict.Intact;
  }

  JsonNode json(Duration elapsed) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("jobs", roles.values().stream().mapToInt(List::size).sum() - plan.size());
    json.putObject("plan")
        .put("id", plan.id().value())
        .put("name", plan.name())
        .put("status", plan.status().label())
        .put("steps", plan.size())
        .put("changesets", plan.changesets().size())
        .put("applied", plan.applied().size())
        .put("intact", isIntact())
        .put("head", verdict instanceof ChainVerdict.Intact intact ? intact.head() : null);
    json.put("asAnnounced", problems.isEmpty()).put("seconds", elapsed.toMillis() / 1000.0);
    problems.forEach(json.putArray("problems")::add);
    return json;
  }
}
