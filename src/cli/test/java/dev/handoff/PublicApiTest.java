package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.testing.PublicTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The list of public types")
class PublicApiTest {

  private static final Path LIST = Path.of("project", "public-api.txt");

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
