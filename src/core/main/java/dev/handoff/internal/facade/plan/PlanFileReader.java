package dev.handoff.internal.facade.plan;

import dev.handoff.InvalidRequestException;
import dev.handoff.internal.facade.JobRequestReader;
import dev.handoff.internal.plan.PlanRules;
import dev.handoff.internal.text.DocumentReader;
import dev.handoff.internal.text.Durations;
import dev.handoff.internal.text.FieldReader;
import dev.handoff.internal.text.LocatedProblem;
import dev.handoff.internal.text.LocatedValue;
import dev.handoff.internal.text.LocatedValue.Fields;
import dev.handoff.internal.text.LocatedValue.Items;
import dev.handoff.internal.text.LocatedValue.Kind;
import dev.handoff.internal.text.LocatedValue.Scalar;
import dev.handoff.internal.text.ProblemList;
import dev.handoff.internal.text.StrictParser;
import dev.handoff.plan.PlanFile;
import dev.handoff.plan.PlanRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reader of plan files. A wrong field does not stop the validation of the others. The graph is
/// validated if the names of all steps can be read.
public final class PlanFileReader {

  /// Valid name, in the place of one that cannot be read.
  private static final String UNREAD = "unread";

  private final ProblemList problems;

  /// Steps by their paths, several if a name is there twice.
  private final Map<String, List<Fields>> byPath = new HashMap<>();

  private int steps;
  private boolean hasAllNames = true;

  private PlanFileReader(ProblemList problems) {
    this.problems = problems;
  }

  /// @throws InvalidRequestException naming all problems
  /// @throws IOException if the text does not begin with an object
  public static PlanFile read(String name, StrictParser parser) throws IOException {
    var document =
        DocumentReader.read(parser, "a plan is an object: name: …, steps: […]", "the plan");
    var problems = new ProblemList(document.malformed() == null);
    var reader = new PlanFileReader(problems);
    var request = reader.plan(document.root(), "", 1);
    if (request != null && document.malformed() == null && reader.hasAllNames) {
      PlanDrafting.problems(request)
          .forEach(wrong -> problems.add(wrong.inLine(reader.lineOf(wrong, document.root()))));
    }
    var told = new ArrayList<>(problems.told(LocatedProblem::message));
    if (document.malformed() != null) {
      told.add(document.malformed());
    }
    if (request == null || !told.isEmpty()) {
      throw new InvalidRequestException(told);
    }
    return new PlanFile(name, request, reader.lines());
  }

  private Map<String, Integer> lines() {
    Map<String, Integer> lines = new HashMap<>();
    byPath.forEach((path, named) -> lines.put(path, named.getFirst().line()));
    return lines;
  }

  /// Line of a problem of the graph: of several steps with the same path, the one that it means.
  private int lineOf(LocatedProblem wrong, Fields root) {
    var named = byPath.getOrDefault(wrong.path(), List.of(root));
    var field = wrong.field();
    if (field.equals("name")) {
      return named.getLast().lineOf("name");
    }
    return named.stream()
        .filter(step -> step.fields().containsKey("after"))
        .flatMap(step -> before(step.fields().get("after")))
        .filter(before -> before instanceof Scalar name && field.equals("after." + name.content()))
        .map(LocatedValue::line)
        .findFirst()
        .orElse(named.getFirst().line());
  }

  /// Values of a list, or a single value.
  private static Stream<LocatedValue> before(LocatedValue after) {
    return after instanceof Items list ? list.items().stream() : Stream.of(after);
  }

  /// Reads a plan; null without steps that can be read.
  ///
  /// @param path path of the step that has the plan
  private @Nullable PlanRequest plan(Fields object, String path, int level) {
    var plan = new FieldReader(object, path, problems);
    plan.require("name", "is missing");
    plan.require("steps", "is missing");
    var request = PlanRequest.of(plan.read("name", LocatedValue::text, UNREAD));
    request =
        plan.set(
            request,
            "maxParallel",
            value -> value.whole(1, PlanRules.MOST_PARALLEL),
            PlanRequest::maxParallel);
    request = plan.set(request, "failFast", LocatedValue::truth, PlanRequest::failFast);
    request =
        plan.set(
            request, "deadline", value -> Durations.parse(value.text()), PlanRequest::deadline);
    var steps = plan.read("steps", value -> steps(value, plan, path, level));
    plan.end("a plan");
    return steps == null ? null : request.with(steps);
  }

  private List<PlanRequest.Step> steps(
      LocatedValue value, FieldReader plan, String path, int level) {
    var read = new ArrayList<PlanRequest.Step>();
    for (var item : value.list()) {
      if (++steps > PlanRules.MOST_STEPS) {
        throw item.misfit("a plan has at most %,d steps".formatted(PlanRules.MOST_STEPS));
      }
      if (item instanceof Fields step) {
        read.add(step(step, path, level));
      } else {
        hasAllNames = false;
        var wrong = item.misfit("a step is an object: name: …, type: …");
        plan.problem("steps", wrong.line(), wrong.getMessage());
      }
    }
    return read;
  }

  /// Reads a step. What cannot be read is left out, so that the graph can be validated.
  private PlanRequest.Step step(Fields object, String plan, int level) {
    var name = nameOf(object);
    var at = plan.isEmpty() ? "" : plan + "/";
    var path = at + (name.isEmpty() ? "?" : name);
    byPath.computeIfAbsent(path, none -> new ArrayList<>(1)).add(object);
    var step = new FieldReader(object, name.isEmpty() ? plan : path, problems);
    step.require("name", "is missing");
    step.read("name", LocatedValue::text);
    var after = new PlanRequest.After(after(step, name));
    var child = step.read("plan", value -> child(value, path, level + 1));
    boolean isPlan = step.has("plan");
    var job = JobRequestReader.read(step, isPlan ? null : "is missing, or plan");
    if (isPlan) {
      refuseJobFields(step, object.line());
    }
    step.end("a step");
    return child == null
        ? new PlanRequest.JobStep(name, job, after)
        : new PlanRequest.PlanStep(name, child, after);
  }

  /// Name of a step; empty if there is none that can be read.
  private String nameOf(Fields step) {
    if (step.fields().get("name") instanceof Scalar(var line, var kind, var name)
        && kind == Kind.TEXT) {
      return name;
    }
    hasAllNames = false;
    return "";
  }

  /// Dependencies of a step, a single name or a list of names, without the step itself.
  private static List<String> after(FieldReader step, String name) {
    var all =
        step.read(
            "after",
            value ->
                value instanceof Items
                    ? value.texts("must be names of steps")
                    : List.of(value.text("must be the name of a step, or a list of names")),
            List.<String>of());
    var others = all.stream().filter(before -> !before.equals(name)).toList();
    if (others.size() < all.size()) {
      step.wrong("after", "it would wait for itself");
    }
    return others;
  }

  private @Nullable PlanRequest child(LocatedValue value, String path, int level) {
    var plan = value.object("must be a plan: name: …, steps: […]");
    if (level > PlanRules.MOST_LEVELS) {
      throw value.misfit("plans are at most %d levels deep".formatted(PlanRules.MOST_LEVELS));
    }
    return plan(plan, path, level);
  }

  private static void refuseJobFields(FieldReader step, int line) {
    var beside = step.given();
    beside.removeAll(List.of("name", "after", "plan"));
    if (!beside.isEmpty()) {
      var fields = String.join(", ", beside);
      step.problem(
          "plan", line, fields + ": cannot stand beside plan: a step is either a job or a plan");
    }
  }
}
