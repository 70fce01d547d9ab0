package dev.handoff.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The documentation")
class DocsTest {

  private static final Path ROOT = Path.of("").toAbsolutePath();
  private static final Path EXAMPLE = ROOT.resolve("docs/examples/maven");
  private static final Pattern LINK = Pattern.compile("\\]\\((?!http|#)([^)#]+)[^)]*\\)");
  private static final Pattern QUOTED = Pattern.compile("(?s)```java\n(?<code>.*?)```");
  private static final Pattern REGION =
      Pattern.compile("(?s)// #(?<name>\\w+)\n(?<code>.*?)// #\\k<name>\n");
  private static final Pattern MAVEN =
      Pattern.compile(
          "<dependency>\\s*<groupId>(?<group>[^<]+)</groupId>"
              + "\\s*<artifactId>(?<name>[^<]+)</artifactId>\\s*<version>(?<version>[^<]+)<");
  private static final Pattern GRADLE =
      Pattern.compile(
          "(?:implementation|runtimeOnly)\\(\"(?<group>[^:]+):(?<name>[^:]+):(?<version>[^\"]+)\"");

  @Test
  @DisplayName("quotes the examples that are compiled")
  void quotesTheCompiledExamples() throws IOException {
    var quoted = between(QUOTED, Files.readString(ROOT.resolve("README.md")));
    var job = Files.readString(EXAMPLE.resolve("src/main/java/example/FirstJob.java"));
    var plan =
        Files.readString(ROOT.resolve("src/core/test/java/dev/handoff/docs/ReadmeExample.java"));

    assertThat(quoted.getFirst()).isEqualTo(squeezed(job.replaceFirst("package .*;", "")));
    assertThat(quoted.subList(1, quoted.size())).isEqualTo(between(REGION, plan));
  }

  /// Nobody notices a version that is old in one of them.
  @ParameterizedTest(name = "{0}")
  @CsvSource({"README.md", "docs/java.md"})
  @DisplayName("has the dependencies of the example, for Maven and for Gradle")
  void hasTheDependenciesOfTheExample(String page) throws IOException {
    var text = Files.readString(ROOT.resolve(page));
    var expected = dependencies(MAVEN, Files.readString(EXAMPLE.resolve("pom.xml")));

    assertThat(expected).hasSize(2);
    assertThat(dependencies(MAVEN, text)).isEqualTo(expected);
    assertThat(dependencies(GRADLE, text)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "docs/java.md, core, JavaExamples",
    "docs/breakers.md, core, BreakerExamples",
    "docs/context.md, context, ContextExamples",
    "docs/context-strategies.md, context, ContextStrategyExamples",
    "docs/plans.md, core, PlanExamples"
  })
  @DisplayName("quotes the examples of each chapter that are compiled")
  void quotesTheCompiledExamplesOfEachChapter(String page, String module, String examples)
      throws IOException {
    var text = Files.readString(ROOT.resolve(page));
    var source =
        Files.readString(
            ROOT.resolve("src/%s/test/java/dev/handoff/docs/%s.java".formatted(module, examples)));

    assertThat(between(QUOTED, text)).isNotEmpty().isEqualTo(between(REGION, source));
  }

  @Test
  @DisplayName("quotes the file of jobs that can be run")
  void quotesTheFileOfJobs() throws IOException {
    var page = Files.readString(ROOT.resolve("docs/command-line.md"));
    var file = Files.readString(ROOT.resolve("docs/examples/jobs.ndjson"));

    assertThat(page.split("```ndjson\n")[1].split("```")[0]).isEqualTo(file);
  }

  @Test
  @DisplayName("links to files that are there")
  void linksToFilesThatAreThere() throws IOException {
    try (Stream<Path> docs = Stream.concat(Files.list(ROOT), Files.walk(ROOT.resolve("docs")))) {
      for (var doc : docs.filter(file -> file.toString().endsWith(".md")).toList()) {
        var links =
            LINK.matcher(Files.readString(doc)).results().map(link -> link.group(1)).toList();

        assertThat(links)
            .as("links of %s", doc)
            .allMatch(link -> Files.exists(doc.resolveSibling(link)));
      }
    }
  }

  private static List<String> dependencies(Pattern form, String text) {
    return form.matcher(text)
        .results()
        .map(
            found ->
                found.group("group") + ":" + found.group("name") + ":" + found.group("version"))
        .toList();
  }

  private static List<String> between(Pattern marks, String text) {
    return marks.matcher(text).results().map(found -> squeezed(found.group("code"))).toList();
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
