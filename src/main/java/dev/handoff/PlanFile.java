package dev.handoff;

import dev.handoff.StrictJson.Malformed;
import dev.handoff.job.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// A plan as a file, in YAML or JSON. Its fields are `name maxParallel failFast deadline steps`;
/// those of a step are `name` and `after`, and either those of a job as [JobRequestJson] reads it,
/// or `plan`, which is a plan again.
///
/// Read strictly: what is not known, is there twice, or could be meant in two ways is refused, with
/// its line.
///
/// @param name of the file, for messages
/// @param lines where each step begins, by its path
public record PlanFile(String name, PlanRequest request, Map<String, Integer> lines) {

  /// The largest file.
  public static final int MOST_BYTES = 16 << 20;

  /// What the rules say of a whole plan, and about which of its steps.
  private static final Pattern NAMED =
      Pattern.compile(
          "step \"(?<twice>.*)\" is there twice|step \"(?<step>.*)\" is not a name"
              + "|its steps wait for each other: (?<first>[^ ]+) ");

  public PlanFile {
    lines = Map.copyOf(lines);
  }

  /// Reads a file. Its kind is told by the end of its name, `.json` or `.yaml`.
  ///
  /// @throws InvalidRequestException naming everything that is wrong, each with its line
  /// @throws IOException if it cannot be read
  public static PlanFile read(Path file) throws IOException {
    var name = file.toString();
    try (var in = Files.newInputStream(file)) {
      return parse(name, in.readNBytes(MOST_BYTES + 1));
    }
  }

  /// Reads the text of a plan. It is JSON if its name ends with `.json`, or if it has none of the
  /// known ends and begins with a brace.
  ///
  /// @throws InvalidRequestException naming everything that is wrong, each with its line
  public static PlanFile parse(String name, byte[] utf8) {
    if (utf8.length > MOST_BYTES) {
      throw refused(name, List.of("is larger than %,d bytes".formatted(MOST_BYTES)));
    }
    try {
      var text = StrictJson.decoded(utf8);
      if (text.startsWith("\uFEFF")) {
        throw new Malformed("starts with a byte order mark: save the text as UTF-8 without one");
      }
      try (var in = isJson(name, text) ? StrictTokens.json(text) : StrictTokens.yaml(text)) {
        return PlanFileReader.read(name, in);
      }
    } catch (InvalidRequestException wrong) {
      throw refused(name, wrong.problems());
    } catch (IOException malformed) {
      throw refused(name, List.of(String.valueOf(malformed.getMessage())));
    }
  }

  private static boolean isJson(String name, String text) {
    var lower = name.toLowerCase(Locale.ROOT);
    boolean isYaml = lower.endsWith(".yaml") || lower.endsWith(".yml");
    return lower.endsWith(".json") || !isYaml && text.stripLeading().startsWith("{");
  }

  private static InvalidRequestException refused(String name, List<String> problems) {
    return new InvalidRequestException(
        problems.stream().map(problem -> Text.shown(name) + ": " + problem).toList());
  }

  /// The problems of a submission, with the file and the line of the step that each is about.
  public List<String> placed(List<String> problems) {
    var placed = new ArrayList<String>();
    for (var problem : problems) {
      placed.add(Text.shown(name) + ": " + placed(problem, lines));
    }
    return placed;
  }

  /// Where the steps of each type are: `line 3, step look/fonts`.
  public Map<String, List<String>> stepsByType() {
    Map<String, List<String>> places = new TreeMap<>();
    note(request, "", places);
    return places;
  }

  private void note(PlanRequest plan, String at, Map<String, List<String>> places) {
    for (var step : plan.steps()) {
      var path = at + step.name();
      switch (step) {
        case PlanRequest.JobStep(var named, var job, var after) ->
            places
                .computeIfAbsent(job.type(), type -> new ArrayList<>())
                .add("line %d, step %s".formatted(lines.get(path), Text.shown(path)));
        case PlanRequest.PlanStep(var named, var child, var after) ->
            note(child, path + "/", places);
      }
    }
  }

  /// A problem with the line of the step that it is about, or else of the plan.
  ///
  /// @param lines by the paths of steps; by an empty one, where the plan begins
  static String placed(String problem, Map<String, Integer> lines) {
    return placesOf(problem).stream()
        .map(lines::get)
        .filter(Objects::nonNull)
        .findFirst()
        .map(line -> "line %d: %s".formatted(line, problem))
        .orElse(problem);
  }

  /// How the second step of a name is named among the lines.
  static String secondOf(String path) {
    return path + " ";
  }

  /// Where to look for its line, the best place first.
  private static List<String> placesOf(String problem) {
    int end = problem.indexOf(": ");
    if (end < 0) {
      return List.of();
    }
    var path = problem.startsWith("step ") ? problem.substring("step ".length(), end) : "";
    var at = path.isEmpty() ? "" : path + "/";
    var named = NAMED.matcher(problem).region(end + 2, problem.length());
    if (!named.lookingAt()) {
      return problem.startsWith("plan: ") || !path.isEmpty() ? List.of(path) : List.of();
    }
    return named.group("twice") != null
        ? List.of(secondOf(at + named.group("twice")), path)
        : named.group("step") != null
            ? List.of(at + named.group("step"), path)
            : List.of(at + named.group("first"), path);
  }
}
