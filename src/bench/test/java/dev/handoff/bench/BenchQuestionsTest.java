package dev.handoff.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A file that answers a question of the context benchmark")
class BenchQuestionsTest {

  private static final Path QUESTIONS = Path.of("src/bench/main/resources/questions.ndjson");

  @Test
  void isTheOnlyOneOfItsName() throws IOException {
    var files = files();
    var wrong = new ArrayList<String>();

    for (var line : Files.readAllLines(QUESTIONS)) {
      for (var name : new ObjectMapper().readTree(line).get("files")) {
        var found = files.stream().filter(file -> file.endsWith("/" + name.asText())).toList();
        if (found.size() != 1) {
          wrong.add("%s is %s".formatted(name, found));
        }
      }
    }

    assertThat(wrong).as("of " + QUESTIONS).isEmpty();
  }

  private static List<String> files() throws IOException {
    var files = new ArrayList<String>();
    for (var root : List.of("src", "docs", "project", ".ci")) {
      try (var found = Files.walk(Path.of(root))) {
        found
            .map(path -> "/" + path.toString().replace('\\', '/'))
            .filter(path -> !path.contains("/target/"))
            .forEach(files::add);
      }
    }
    try (Stream<Path> here = Files.list(Path.of(""))) {
      here.filter(Files::isRegularFile).forEach(path -> files.add("/" + path));
    }
    return files;
  }
}
