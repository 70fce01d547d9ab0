package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.handoff.context.SearchDepth;
import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The outline of any text")
class OutlineFuzzTest {

  private static final String SIGNS = "{}()[]<>;,.@=\"'/*\\#-`|: \n\r\t_aZ0\u0000\uFEFF\uD800é";
  private static final List<String> PATHS = List.of("A.java", "a.md", "a.conf");

  @Test
  void ofBrokenSourcesOfThisRepositoryIsMade() throws IOException {
    var sources = sources();

    RandomSeeds.each(
        400,
        random -> {
          var text = broken(sources.get(random.nextInt(sources.size())), random);
          lookAt(PATHS.get(random.nextInt(PATHS.size())), text);
        });
  }

  @Test
  void ofSignsWithoutAnyMeaningIsMade() {
    RandomSeeds.each(
        300,
        random -> {
          var text = new StringBuilder();
          int length = random.nextInt(400);
          for (int count = 0; count < length; count++) {
            text.append(SIGNS.charAt(random.nextInt(SIGNS.length())));
          }
          PATHS.forEach(path -> lookAt(path, text.toString()));
        });
  }

  /// Quadratic algorithms would take minutes here, and recursive ones would overflow the stack.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "}",
        "(",
        "[",
        "<",
        "@",
        "@A(",
        "\"",
        "'",
        "/*",
        "/**",
        "/// a\n",
        "///\n\n",
        "\"\"\"",
        "class A {",
        "enum A {",
        "class A { private class ",
        "a.",
        "A.",
        "a = {",
        "int a = b(",
        "void a() {",
        "import ",
        "package a",
        "`",
        "```\n",
        "# a\n",
        "[",
        "](",
        "[a](",
        "[a]:",
        "[[",
        "[a#",
        "{@link ",
        "{@code ",
        "<p",
        "/** <",
        " ",
        "\t",
        "\n",
        "\r\n",
        "a/",
        "a/b ",
        "\"a.b\"",
        "key: ",
        "key=",
        "# a",
        "-\n",
        "a\n-\n",
        "  a {\n",
        "record A(",
        "A<",
        "\\",
        "e.g. ",
        "a a",
        "static ",
        "\uD83D\uDE00",
        "é",
        "* * "
      })
  void ofTheSameOverAndOverIsMadeInTime(String part) {
    var text = part.repeat(200_000 / part.length() + 1);

    assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> PATHS.forEach(path -> lookAt(path, text)));
  }

  @Test
  void ofDeeplyNestedTypesIsMadeInTime() {
    var text = "class A { void a() { ".repeat(100_000);

    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> lookAt("A.java", text));
  }

  @Test
  void ofTypesWithNamesWithoutEndStaysSmall() {
    var text = ("class " + "N".repeat(20_000) + " {").repeat(19) + " class B {}".repeat(500);

    var outline = FileOutliners.of("A.java", text);

    assertThat(outline.defines().stream().mapToLong(String::length).sum()).isLessThan(10_000_000);
    lookAt("A.java", text);
  }

  /// Every package can contain every type.
  @Test
  void ofManyTypesFromManyPackagesStaysSmall() {
    var text = new StringBuilder();
    IntStream.range(0, 1_990).forEach(one -> text.append("import p%d.*;".formatted(one)));
    text.append("/** ");
    IntStream.range(0, 20_000).forEach(one -> text.append("[A%d] ".formatted(one)));
    text.append("*/ class A {}");

    assertThat(FileOutliners.of("A.java", text.toString()).mentions()).hasSizeBetween(1_990, 4_000);
  }

  private static void lookAt(String path, String text) {
    var outline = FileOutliners.of(path, text);
    outline.defines();
    outline.mentions();
    for (SearchDepth depth : SearchDepth.values()) {
      var look =
          outline.at(depth, OutlineSamples.words("claim durable store test"), OutlineSamples.WORDS);
      assertThat(look.length()).isLessThan(Math.max(text.length(), 40_000) + 1);
    }
  }

  private static String broken(String source, Random random) {
    var text = new StringBuilder(source);
    int changes = random.nextInt(8);
    for (int change = 0; change < changes && text.length() > 1; change++) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(4)) {
        case 0 -> text.setLength(at);
        case 1 -> text.deleteCharAt(at);
        case 2 -> text.setCharAt(at, SIGNS.charAt(random.nextInt(SIGNS.length())));
        case 3 -> text.delete(0, at);
        default -> throw new AssertionError();
      }
    }
    return text.toString();
  }

  private static List<String> sources() throws IOException {
    try (Stream<Path> files =
        Stream.concat(Files.walk(Path.of("src", "core", "main")), Files.walk(Path.of("docs")))) {
      return files.filter(Files::isRegularFile).sorted().map(OutlineFuzzTest::read).toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
