package dev.handoff.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/// Questions about this repository in a newcomer's words. Expected files are identified by name, so
/// that they may move; `BenchQuestionsTest` detects a missing file.
final class ContextQuestions {

  static final String FILE = "questions.ndjson";

  /// Every third question is a held-out question, unused when the strategy weights were tuned.
  private static final int KEPT_ASIDE = 3;

  private ContextQuestions() {}

  /// @param files expected files, determined by reading
  /// @param aside whether the question is held out
  record Question(String words, List<String> files, boolean aside) {

    /// Fraction of the expected files among the first results.
    double recall(List<String> found, int first) {
      var best = found.stream().distinct().limit(first).toList();
      return (double) files.stream().filter(best::contains).count() / files.size();
    }
  }

  /// @param paths of all files
  /// @throws IllegalStateException if a name matches no file or several
  static List<Question> all(Collection<String> paths) throws IOException {
    var json = new ObjectMapper();
    var questions = new ArrayList<Question>();
    var resource =
        Objects.requireNonNull(ContextQuestions.class.getResourceAsStream("/" + FILE), FILE);
    try (var lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var question = json.readTree(line);
        var files = new ArrayList<String>();
        question.get("files").forEach(file -> files.add(path(file.asText(), paths)));
        boolean aside = questions.size() % KEPT_ASIDE == KEPT_ASIDE - 1;
        questions.add(new Question(question.get("question").asText(), List.copyOf(files), aside));
      }
    }
    return questions;
  }

  private static String path(String name, Collection<String> paths) {
    var found =
        paths.stream().filter(path -> path.equals(name) || path.endsWith("/" + name)).toList();
    if (found.size() != 1) {
      throw new IllegalStateException("the file \"%s\" of a question is %s".formatted(name, found));
    }
    return found.getFirst();
  }
}
