package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.testing.PublicTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The list of public types")
class PublicApiTest {

  private static final Path LIST = Path.of("project", "public-api.txt");

  /// Largest number of public top-level types that a newcomer can look through.
  private static final int MOST_TYPES = 110;

  @Test
  void hasAllThatUsersCanReach() throws IOException {
    var listed = listed();
    var reached =
        PublicTypes.reachedFrom(
            Set.of(
                Handoff.class, HandoffBuilder.class, HandoffReader.class, BuiltInHandlers.class));

    reached.keySet().removeIf(type -> isListed(listed, type));
    assertThat(reached).as("not in %s, each with the type that shows it", LIST).isEmpty();
  }

  @Test
  void isShortEnoughToBeRead() throws IOException {
    var types = new ArrayList<String>();
    for (var name : listed()) {
      for (var module : modules()) {
        var folder = module.resolve(Path.of("main", "java")).resolve(name.replace('.', '/'));
        if (Files.isDirectory(folder)) {
          types.addAll(publicTypes(folder));
        }
      }
    }

    assertThat(types).hasSizeBetween(MOST_TYPES / 2, MOST_TYPES);
  }

  private static List<Path> modules() throws IOException {
    try (var modules = Files.list(Path.of("src"))) {
      return modules.toList();
    }
  }

  private static List<String> publicTypes(Path folder) throws IOException {
    var found = new ArrayList<String>();
    try (var files = Files.newDirectoryStream(folder, "*.java")) {
      for (var file : files) {
        if (Files.readAllLines(file).stream().anyMatch(line -> line.startsWith("public "))) {
          found.add(file.toString());
        }
      }
    }
    return found;
  }

  private static boolean isListed(List<String> listed, String type) {
    var top = type.replaceAll("\\$.*", "");
    return listed.contains(top) || listed.contains(top.substring(0, top.lastIndexOf('.')));
  }

  private static List<String> listed() throws IOException {
    return Files.readAllLines(LIST).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }
}
