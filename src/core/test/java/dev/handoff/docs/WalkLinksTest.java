package dev.handoff.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The walk through the code")
class WalkLinksTest {

  private static final Pattern SOURCE = Pattern.compile("\\]\\([^)]*\\.java[^)]*\\)");
  private static final Pattern LINE = Pattern.compile("`]\\([^)]*\\.java#L\\d+\\)");
  private static final String ROUTE =
      "[`JobRoute.of`](../src/core/main/java/dev/handoff/internal/facade/JobRoute.java#L%d)";

  @Test
  void linksToTheLinesThatItNames() throws IOException {
    var checked = WalkLinks.check(page());

    assertThat(checked.broken()).isEmpty();
    assertThat(checked.moved()).as("run " + WalkLinks.COMMAND).isEmpty();
  }

  @Test
  void namesALineInEachLinkToASource() throws IOException {
    assertThat(SOURCE.matcher(page()).results().count())
        .isEqualTo(LINE.matcher(page()).results().count());
  }

  @Test
  void hasALinkInEachRow() throws IOException {
    var steps = page().lines().filter(line -> line.matches("\\| \\d+ .*")).toList();

    assertThat(steps).hasSizeGreaterThan(40);
    assertThat(steps).allMatch(step -> LINE.matcher(step).find());
  }

  @Test
  void tellsTheNewLineOfAPlaceThatHasMoved() throws IOException {
    var now = line(ROUTE.formatted(1));
    var checked = WalkLinks.check(ROUTE.formatted(1));

    assertThat(checked.moved())
        .containsExactly("`JobRoute.of` of JobRoute.java is in line " + now + ", not in line 1");
    assertThat(checked.page()).isEqualTo(ROUTE.formatted(now));
    assertThat(WalkLinks.check(checked.page()).moved()).isEmpty();
  }

  @Test
  void refusesANameThatIsNotThere() throws IOException {
    var renamed = ROUTE.formatted(1).replace("JobRoute.of`", "JobRoute.gone`");

    assertThat(WalkLinks.check(renamed).page()).isEqualTo(renamed);
    assertThat(WalkLinks.check(renamed).broken())
        .containsExactly("`JobRoute.gone` of JobRoute.java is neither declared nor called there");
    assertThat(WalkLinks.check(ROUTE.formatted(1).replace("/JobRoute.java", "/Gone.java")).broken())
        .hasSize(1);
  }

  @Test
  void refusesANameWithSeveralPlacesUnlessItNamesTheParameters() throws IOException {
    var calls = ROUTE.replace("JobRoute.of", "JobCalls.submit").replace("JobRoute", "JobCalls");

    assertThat(WalkLinks.check(calls.formatted(1)).broken().getFirst())
        .contains("`JobCalls.submit` of JobCalls.java is in lines [")
        .endsWith("]: name its parameters");
    assertThat(WalkLinks.check(calls.replace("submit", "submit(JobSpec)").formatted(1)).broken())
        .isEmpty();
  }

  @Test
  void findsDeclarationsAndCalls() throws IOException {
    assertThat(lineOf("JobRoute", "JobRoute")).startsWith("final class JobRoute");
    assertThat(lineOf("JobRoute.Target", "JobRoute")).startsWith("record Target(");
    assertThat(lineOf("new JobRoute", "JobRoute")).startsWith("JobRoute(");
    assertThat(lineOf("JobRoute.next", "JobRoute")).startsWith("private JobId next(");
    assertThat(lineOf("new JobId", "JobRoute")).startsWith("return new JobId(");
    assertThat(lineOf("Ulid.of", "JobRoute")).contains("Ulid.of(");
  }

  private static String lineOf(String label, String file) throws IOException {
    var link =
        ROUTE.formatted(0).replace("JobRoute.of", label).replace("JobRoute.java", file + ".java");
    var source =
        WalkLinks.FILE.resolveSibling(
            "../src/core/main/java/dev/handoff/internal/facade/" + file + ".java");
    return Files.readAllLines(source).get(line(link) - 1).strip();
  }

  private static int line(String link) throws IOException {
    var checked = WalkLinks.check(link);
    assertThat(checked.broken()).isEmpty();
    return Integer.parseInt(checked.page().replaceAll(".*#L(\\d+)\\)", "$1"));
  }

  private static String page() throws IOException {
    return Files.readString(WalkLinks.FILE);
  }
}
