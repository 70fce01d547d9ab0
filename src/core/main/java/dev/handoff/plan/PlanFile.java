package dev.handoff.plan;

import dev.handoff.InvalidRequestException;
import dev.handoff.internal.facade.plan.PlanFileReader;
import dev.handoff.internal.text.SafeText;
import dev.handoff.internal.text.StrictParser;
import dev.handoff.json.JobRequestJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// A plan file in YAML or JSON. Its fields are `name maxParallel failFast deadline steps`. A step
/// has `name` and `after`, and either the fields of a job as [JobRequestJson] reads them, or `plan`
/// with a nested plan.
///
/// Parsing is strict: unknown, duplicate and ambiguous fields are refused, with their line.
///
/// @param name name of the file, for messages
/// @param lines first line of each step, by the step's path
public record PlanFile(String name, PlanRequest request, Map<String, Integer> lines) {

  /// Maximum size of a plan file.
  public static final int MOST_BYTES = 16 << 20;

  public PlanFile {
    lines = Map.copyOf(lines);
  }

  /// Reads a plan file. The file name ends with `.json` or `.yaml`, which selects the format.
  ///
  /// @throws InvalidRequestException naming all problems, each with its line
  /// @throws IOException if the file cannot be read
  public static PlanFile read(Path file) throws IOException {
    var name = file.toString();
    try (var in = Files.newInputStream(file)) {
      return parse(name, in.readNBytes(MOST_BYTES + 1));
    }
  }

  /// Parses the text of a plan. The text is JSON if the name ends with `.json`, or if the name has
  /// no known ending and the text begins with a brace.
  ///
  /// @throws InvalidRequestException naming all problems, each with its line
  public static PlanFile parse(String name, byte[] utf8) {
    if (utf8.length > MOST_BYTES) {
      throw refused(name, List.of("is larger than %,d bytes".formatted(MOST_BYTES)));
    }
    try {
      var text = StrictParser.decoded(utf8);
      return PlanFileReader.read(name, StrictParser.file(text, isJson(name, text)));
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
        problems.stream().map(problem -> SafeText.shown(name) + ": " + problem).toList());
  }

  /// Places of the steps of each job type, such as `line 3, step look/fonts`.
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
                .add("line %d, step %s".formatted(lines.get(path), SafeText.shown(path)));
        case PlanRequest.PlanStep(var named, var child, var after) ->
            note(child, path + "/", places);
      }
    }
  }
}
