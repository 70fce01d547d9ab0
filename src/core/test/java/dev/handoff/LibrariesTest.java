package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `libraries.txt` comes from the build: the libraries of the POM (`direct`), and all that these
/// bring (`runtime`).
@DisplayName("The artifact handoff")
class LibrariesTest {

  private static final int MOST = 12;

  @Test
  void namesFewLibraries() throws IOException {
    assertThat(libraries("direct")).contains("org.slf4j:slf4j-api").hasSizeBetween(1, MOST);
  }

  @Test
  void bringsNoLogBackendNoTerminalAndNoSearchEngine() throws IOException {
    assertThat(libraries("runtime"))
        .contains("org.slf4j:slf4j-api")
        .noneMatch(library -> library.matches("org\\.slf4j:slf4j-(?!api).*"))
        .noneMatch(library -> library.startsWith("ch.qos.logback:"))
        .noneMatch(library -> library.startsWith("org.apache.logging.log4j:"))
        .noneMatch(library -> library.startsWith("info.picocli:"))
        .noneMatch(library -> library.startsWith("org.jline:"))
        .noneMatch(library -> library.startsWith("org.apache.lucene:"))
        .noneMatch(library -> library.startsWith("com.knuddels:"));
  }

  private static List<String> libraries(String kind) throws IOException {
    try (var list =
        Objects.requireNonNull(LibrariesTest.class.getResourceAsStream("/libraries.txt"))) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith(kind + " "))
          .map(line -> line.substring(kind.length() + 1))
          .toList();
    }
  }

  /// JGit is for changes of plans and for contexts.
  @Test
  void runsPlainJobsWithoutJGit(@TempDir Path directory) throws Exception {
    var command = new ArrayList<>(ChildJvm.command(PlainJob.class));
    int path = command.indexOf("-cp") + 1;
    var parts = Arrays.asList(command.get(path).split(File.pathSeparator));
    var without = parts.stream().filter(part -> !part.contains("jgit")).toList();
    command.set(path, String.join(File.pathSeparator, without));
    command.add(directory.resolve("data").toString());

    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(without).hasSizeLessThan(parts.size());
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("result: \"HELLO\"");
  }

  /// Program with one job.
  static final class PlainJob {
    private PlainJob() {}

    public static void main(String[] arguments) {
      try (var handoff =
          Handoff.builder()
              .directory(Path.of(arguments[0]))
              .handler(
                  "shout", String.class, (word, job) -> word.toUpperCase(java.util.Locale.ROOT))
              .start()) {
        var job = handoff.submitOrThrow(JobRequest.of("shout", "hello"));
        var outcome = job.result().toCompletableFuture().join();
        System.out.println("result: " + ((Outcome.Succeeded) outcome).value());
      }
    }
  }
}
