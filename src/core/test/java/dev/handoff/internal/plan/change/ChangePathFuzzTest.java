package dev.handoff.internal.plan.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.List;
import java.util.stream.StreamSupport;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

@Label("Whatever path is let through")
class ChangePathFuzzTest {

  private static final Path ROOT = Path.of("/srv/root");

  @Property(tries = 20_000)
  @Label("stays inside the root, whoever takes it apart")
  void staysInside(@ForAll("nasty") String path) {
    boolean passes = ChangePath.problem(path).isEmpty();
    Statistics.collect(passes);

    if (passes) {
      for (var reading : readings(path)) {
        assertStaysInside(reading);
      }
      assertThat(components(ROOT.resolve(path))).containsExactly(path.split("/"));
    }
  }

  @Property(tries = 2_000)
  @Label("is not any text at all")
  void isNoTextAtAll(@ForAll String path) {
    if (ChangePath.problem(path).isEmpty()) {
      assertStaysInside(path);
      assertThat(path).doesNotContain("\0", "\\", "\n");
    }
  }

  @Property(tries = 100)
  @Label("is let through by a rule: without it the same paths lead elsewhere")
  void leadElsewhereWithoutTheRule(@ForAll("leading") String path) {
    assertThat(ChangePath.problem(path)).isPresent();
    assertThatThrownBy(() -> readings(path).forEach(ChangePathFuzzTest::assertStaysInside))
        .isInstanceOfAny(AssertionError.class, InvalidPathException.class);
  }

  @Provide
  Arbitrary<String> leading() {
    return nasty().map(path -> "a/../../root-evil/" + path);
  }

  /// Interpretations of a path by programs that decode, normalize, or accept backslashes.
  private static List<String> readings(String path) {
    var decoded = decoded(path);
    return List.of(
        path,
        path.replace('\\', '/'),
        decoded,
        decoded(decoded),
        Normalizer.normalize(path, Normalizer.Form.NFKC),
        path.replaceAll("\\p{Cf}", ""),
        path.replaceAll("[. ]+(/|$)", "$1"));
  }

  private static void assertStaysInside(String reading) {
    var resolved = ROOT.resolve(reading.replace('\\', '/')).normalize();

    assertThat(resolved.startsWith(ROOT)).as("%s is inside of %s", resolved, ROOT).isTrue();
    assertThat(resolved).isNotEqualTo(ROOT);
    assertThat(components(resolved)).doesNotContain(".git", "..", ".");
  }

  private static List<String> components(Path resolved) {
    var inside = ROOT.relativize(resolved);
    return StreamSupport.stream(inside.spliterator(), false).map(Path::toString).toList();
  }

  private static String decoded(String path) {
    try {
      return URLDecoder.decode(path, StandardCharsets.UTF_8).replace("\0", "/../..");
    } catch (IllegalArgumentException noEncoding) {
      return path;
    }
  }

  @Provide
  Arbitrary<String> nasty() {
    var pieces =
        Arbitraries.of(
            "..",
            ".",
            "/",
            "/",
            "/",
            "\\",
            "a",
            "b.txt",
            "%2e",
            "%2E%2e",
            "%2f",
            "%252e",
            "%",
            "25",
            "\0",
            " ",
            "C:",
            ":",
            "\u202e",
            "\u200d",
            "\uff0e",
            "\uff0f",
            "\u2024",
            "\u2025",
            "git",
            ".git",
            "root",
            "root-evil",
            "../root-evil",
            "~1",
            "\u00e9",
            "\ud83d\ude00",
            "\ud800",
            "-",
            "con",
            "\n",
            "\u0000",
            "work");
    return pieces.list().ofMinSize(1).ofMaxSize(8).map(parts -> String.join("", parts));
  }
}
