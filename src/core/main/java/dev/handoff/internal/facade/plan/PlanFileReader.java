package dev.handoff.internal.facade.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import dev.handoff.InvalidRequestException;
import dev.handoff.internal.plan.PlanRules;
import dev.handoff.internal.text.Durations;
import dev.handoff.internal.text.LocatedProblem;
import dev.handoff.internal.text.SafeText;
import dev.handoff.internal.text.StrictJson.Malformed;
import dev.handoff.internal.text.StrictTokens;
import dev.handoff.json.JobRequestJson;
import dev.handoff.plan.PlanFile;
import dev.handoff.plan.PlanRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Parser of plan files, token by token. A wrong field does not stop the validation of the others;
/// only malformed JSON or YAML ends the parsing.
public final class PlanFileReader {

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int MOST_PROBLEMS = 20;
  private static final Set<String> OF_PLAN =
      Set.of("name", "maxParallel", "failFast", "deadline", "steps");
  private static final Set<String> OF_JOB =
      Set.of(
          "type",
          "payload",
          "queue",
          "priority",
          "key",
          "runAt",
          "delay",
          "timeout",
          "heartbeatTimeout",
          "maxAttempts",
          "backoff",
          "retryIf",
          "labels");
  private static final Set<String> OF_STEP = plus(OF_JOB, "name", "after", "plan");

  private final StrictTokens in;
  private final List<String> problems = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private int steps;
  private boolean isIncomplete;
  private @Nullable StepDraft reading;

  private PlanFileReader(StrictTokens in) {
    this.in = in;
  }

  /// @throws InvalidRequestException naming all problems
  public static PlanFile read(String name, StrictTokens in) throws IOException {
    var reader = new PlanFileReader(in);
    try {
      var request = reader.whole();
      if (reader.problems.isEmpty()) {
        reader.lines.remove("");
        return new PlanFile(name, request, reader.lines);
      }
    } catch (Malformed end) {
      reader.problems.add(end.getMessage());
    }
    throw new InvalidRequestException(reader.problems);
  }

  /// The topmost plan with its steps. The structure is validated only if every step could be read.
  private PlanRequest whole() throws IOException {
    in.listener(this::wrong);
    if (in.next() != JsonToken.START_OBJECT) {
      throw in.at("a plan is an object: name: …, steps: […]");
    }
    lines.put("", in.line());
    var request = plan("", 1);
    if (in.next() != null) {
      throw in.at("something follows the end of the plan");
    }
    if (!isIncomplete) {
      PlanDrafting.problems(request)
          .forEach(problem -> problem(problem.inLine(lineOf(problem)).message()));
    }
    return request;
  }

  /// Records a problem of the last token, within its step if there is one.
  private void wrong(int line, String what) {
    isIncomplete = true;
    if (reading == null) {
      problem(line, "", what);
    } else {
      reading.wrong.add(new Wrong(line, what));
    }
  }

  /// Plan under construction.
  private static final class Draft {
    private @Nullable String name;
    private int maxParallel;
    private boolean failFast;
    private @Nullable Duration deadline;
    private final List<PlanRequest.Step> steps = new ArrayList<>();
    private boolean hasSteps;
  }

  private PlanRequest plan(String at, int level) throws IOException {
    int line = in.line();
    var draft = new Draft();
    while (in.next() == JsonToken.FIELD_NAME) {
      var field = in.text();
      int here = in.line();
      in.next();
      try {
        planField(field, draft, at, level);
      } catch (IllegalArgumentException wrong) {
        isIncomplete = true;
        problem(here, at, SafeText.shown(field) + ": " + wrong.getMessage());
      }
    }
    isIncomplete |= draft.name == null || !draft.hasSteps;
    if (draft.name == null) {
      problem(line, at, "name: is missing");
    }
    if (!draft.hasSteps) {
      problem(line, at, "steps: is missing");
    }
    return request(draft);
  }

  private static PlanRequest request(Draft draft) {
    var request = PlanRequest.of(draft.name == null ? "" : draft.name).failFast(draft.failFast);
    request = draft.deadline == null ? request : request.deadline(draft.deadline);
    request = draft.maxParallel == 0 ? request : request.maxParallel(draft.maxParallel);
    return request.with(draft.steps);
  }

  private void planField(String field, Draft draft, String at, int level) throws IOException {
    boolean isLeftOut = in.token() == JsonToken.VALUE_NULL;
    switch (field) {
      case "name", "maxParallel", "failFast", "deadline", "steps" -> {}
      default -> {
        in.skip();
        throw unknown("a plan", OF_PLAN);
      }
    }
    if (isLeftOut) {
      return;
    }
    switch (field) {
      case "name" -> draft.name = string();
      case "maxParallel" -> draft.maxParallel = parallel();
      case "failFast" -> draft.failFast = bool();
      case "deadline" -> draft.deadline = Durations.parse(string());
      default -> {
        draft.hasSteps = true;
        steps(draft.steps, at, level);
      }
    }
  }

  private void steps(List<PlanRequest.Step> steps, String at, int level) throws IOException {
    expect(JsonToken.START_ARRAY, "a list");
    while (in.next() != JsonToken.END_ARRAY) {
      if (in.token() != JsonToken.START_OBJECT) {
        isIncomplete = true;
        problem(in.line(), at, "a step is an object: name: …, type: …");
        in.skip();
      } else if (++this.steps > PlanRules.MOST_STEPS) {
        throw in.at("a plan has at most %,d steps".formatted(PlanRules.MOST_STEPS));
      } else {
        var step = step(at, level);
        if (step != null) {
          steps.add(step);
        } else {
          isIncomplete = true;
        }
      }
    }
  }

  /// Step under construction.
  private static final class StepDraft {
    private String name = "";
    private List<String> after = List.of();
    private @Nullable PlanRequest plan;
    private final Map<String, Integer> fields = new LinkedHashMap<>();
    private final ByteArrayOutputStream job = new ByteArrayOutputStream();
    private final List<Wrong> wrong = new ArrayList<>();
  }

  private record Wrong(int line, String what) {}

  /// Reads a step; null if the step is invalid. The step's name may come last, so problems are
  /// reported at the end of the step.
  private PlanRequest.@Nullable Step step(String at, int level) throws IOException {
    int line = in.line();
    int before = problems.size();
    var draft = new StepDraft();
    var above = reading;
    reading = draft;
    try (var job = FACTORY.createGenerator(draft.job)) {
      job.writeStartObject();
      while (in.next() == JsonToken.FIELD_NAME) {
        var field = in.text();
        int here = in.line();
        in.next();
        draft.fields.put(field, here);
        try {
          stepField(field, draft, job, at, level);
        } catch (IllegalArgumentException wrong) {
          draft.wrong.add(new Wrong(here, SafeText.shown(field) + ": " + wrong.getMessage()));
        }
      }
      job.writeEndObject();
    }
    reading = above;
    var path = at + draft.name;
    if (lines.putIfAbsent(path, line) != null) {
      lines.putIfAbsent(PlanFile.secondOf(path), line);
    }
    draft.wrong.forEach(wrong -> problem(wrong.line(), path, wrong.what()));
    return problems.size() == before ? whole(draft, line, path) : null;
  }

  private void stepField(String field, StepDraft draft, JsonGenerator job, String at, int level)
      throws IOException {
    if (!OF_STEP.contains(field)) {
      in.skip();
      throw unknown("a step", OF_STEP);
    }
    if (in.token() == JsonToken.VALUE_NULL) {
      draft.fields.remove(field);
      return;
    }
    switch (field) {
      case "name" -> draft.name = string();
      case "after" -> draft.after = names();
      case "plan" -> draft.plan = child(at + draft.name + "/", level + 1);
      default -> {
        job.writeFieldName(field);
        in.copy(job);
      }
    }
  }

  private PlanRequest child(String at, int level) throws IOException {
    expect(JsonToken.START_OBJECT, "a plan: name: …, steps: […]");
    if (at.endsWith("//") || at.equals("/")) {
      in.skip();
      throw new IllegalArgumentException("the name of the step has to stand before it");
    }
    if (level > PlanRules.MOST_LEVELS) {
      throw in.at("plans are at most %d levels deep".formatted(PlanRules.MOST_LEVELS));
    }
    return plan(at, level);
  }

  private PlanRequest.@Nullable Step whole(StepDraft draft, int line, String path) {
    var after = new PlanRequest.After(others(draft, line, path));
    if (!draft.fields.containsKey("name")) {
      problem(line, path, "name: is missing");
      return null;
    }
    if (draft.plan != null) {
      var beside = new TreeSet<>(draft.fields.keySet());
      beside.retainAll(OF_JOB);
      if (!beside.isEmpty()) {
        problem(
            line,
            path,
            "%s: cannot stand beside plan: a step is either a job or a plan"
                .formatted(String.join(", ", beside)));
        return null;
      }
      return new PlanRequest.PlanStep(draft.name, draft.plan, after);
    }
    if (!draft.fields.containsKey("type")) {
      problem(line, path, "type: is missing, or plan");
      return null;
    }
    try {
      var job = JobRequestJson.read(draft.job.toByteArray());
      return new PlanRequest.JobStep(draft.name, job, after);
    } catch (InvalidRequestException wrong) {
      wrong.problems().forEach(problem -> problem(lineOf(problem, draft, line), path, problem));
      return null;
    }
  }

  /// Dependencies of the step, without the step itself.
  private List<String> others(StepDraft draft, int line, String path) {
    var others = draft.after.stream().filter(before -> !before.equals(draft.name)).toList();
    if (others.size() < draft.after.size()) {
      problem(draft.fields.getOrDefault("after", line), path, "after: it would wait for itself");
    }
    return others;
  }

  private int lineOf(LocatedProblem problem) {
    var path = problem.path();
    int first = lines.getOrDefault(path, 0);
    return problem.field().equals("name")
        ? lines.getOrDefault(PlanFile.secondOf(path), first)
        : first;
  }

  /// Line of a problem: job problems begin with the name of their field.
  private static int lineOf(String problem, StepDraft draft, int line) {
    var word = problem.split("[ :]", 2)[0];
    return draft.fields.getOrDefault(word, line);
  }

  private String string() throws IOException {
    expect(JsonToken.VALUE_STRING, "text");
    return in.text();
  }

  private boolean bool() throws IOException {
    if (in.token() != JsonToken.VALUE_TRUE) {
      expect(JsonToken.VALUE_FALSE, "true or false");
    }
    return in.token() == JsonToken.VALUE_TRUE;
  }

  private int parallel() throws IOException {
    expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
    var most = PlanRules.MOST_PARALLEL;
    try {
      int value = Integer.parseInt(in.text());
      if (value >= 1 && value <= most) {
        return value;
      }
    } catch (NumberFormatException large) {
      // A number beyond `int` is out of range like any other.
    }
    throw new IllegalArgumentException(
        "must be 1 to %d, was %s".formatted(most, SafeText.shown(in.text())));
  }

  /// Reads a single name or a list of names.
  private List<String> names() throws IOException {
    if (in.token() == JsonToken.VALUE_STRING) {
      return List.of(in.text());
    }
    expect(JsonToken.START_ARRAY, "the name of a step, or a list of names");
    var names = new ArrayList<String>();
    boolean onlyText = true;
    while (in.next() != JsonToken.END_ARRAY) {
      if (in.token() == JsonToken.VALUE_STRING) {
        names.add(in.text());
      } else {
        onlyText = false;
        in.skip();
      }
    }
    if (!onlyText) {
      throw new IllegalArgumentException("must be names of steps");
    }
    return names;
  }

  private void expect(JsonToken token, String what) throws IOException {
    if (in.token() != token) {
      in.skip();
      throw new IllegalArgumentException("must be " + what);
    }
  }

  private static IllegalArgumentException unknown(String what, Set<String> known) {
    return new IllegalArgumentException(
        "is not a field of %s; known: %s".formatted(what, String.join(", ", new TreeSet<>(known))));
  }

  private static String ofStep(String path) {
    var name = path.replaceAll("/$", "");
    return name.isEmpty() ? "" : "step %s: ".formatted(SafeText.shown(name));
  }

  private void problem(int line, String at, String what) {
    problem("line %d: %s%s".formatted(line, ofStep(at), what));
  }

  private void problem(String problem) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(problem);
    }
  }

  private static Set<String> plus(Set<String> some, String... more) {
    var all = new TreeSet<>(some);
    all.addAll(List.of(more));
    return Set.copyOf(all);
  }
}
