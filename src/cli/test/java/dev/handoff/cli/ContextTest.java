package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("handoff context")
class ContextTest {

  @TempDir private Path root;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        root.resolve("claims.md"),
        "# Claims\n\nA claim is durable before a worker hears of the job that it is for.\n");
    for (int i = 0; i < 30; i++) {
      Files.writeString(
          root.resolve("bread-%02d.md".formatted(i)),
          "# Bread %d\n\nFlour, water, salt, a durable dough.\n".formatted(i));
    }
  }

  @Test
  void printsWhatTheFilesSay_withAPreamble() {
    var ran = run("how are claims made durable");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .startsWith("Found by (confidence, fragments): ")
        .contains("== claims.md (all of it)\n# Claims\n\nA claim is durable before");
  }

  @Test
  void explainsHowItCameToBe() {
    var ran = run("how are claims made durable", "--budget", "200", "--explain");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .containsPattern("\\n\\d+ of 200 tokens: \\d+ in \\d+ fragments, \\d+ in the preamble; ")
        .containsPattern("STRATEGY +OUTCOME +CONFIDENCE +SHARE +TOKENS +FOUND +PACKED +TIME\n")
        .containsPattern("simple-keyword +found +0\\.\\d\\d +\\d+")
        .contains("temporal-archaeology: it is off\n")
        .containsPattern("SCORE +RESOURCE +DEPTH +TOKENS +RELEVANCE")
        .containsPattern("0\\.\\d\\d +claims\\.md +9 +\\d+")
        .containsPattern("LEFT OUT +FOUND BY +WHY\n");
  }

  @Test
  void showsTheMostImportantColumns_inANarrowTerminal() {
    var ran =
        CliHarness.inTerminal(
            "context", "how are claims made durable", "--root", root.toString(), "--explain");

    assertThat(ran.out()).contains("RESOURCE").doesNotContain("BECAUSE");
  }

  @Test
  void answersInJson() throws IOException {
    var ran = run("how are claims made durable", "--budget", "300", "--json");

    assertThat(ran.exitCode()).isZero();
    var json = JsonMapper.builder().build().readTree(ran.out());
    assertThat(names(json))
        .containsExactly("budget", "totalTokens", "preamble", "fragments", "report");
    assertThat(json.get("budget").asInt()).isEqualTo(300);
    int sum = 0;
    for (var fragment : json.get("fragments")) {
      assertThat(names(fragment))
          .containsExactly("resource", "strategy", "depth", "tokens", "score", "text");
      sum += fragment.get("tokens").asInt();
    }
    var report = json.get("report");
    assertThat(json.get("totalTokens").asInt())
        .isEqualTo(sum)
        .isLessThanOrEqualTo(300 - report.get("preambleTokens").asInt());
    assertThat(names(report))
        .containsExactly(
            "pool",
            "preambleTokens",
            "complete",
            "tookMillis",
            "strategies",
            "scores",
            "leftOut",
            "notes");
    assertThat(report.get("strategies").get(0).get("outcome").asText()).isEqualTo("found");
    assertThat(report.get("scores").get(0).get("relevance").asDouble()).isPositive();
    assertThat(report.get("leftOut").get(0).get("reason").asText()).isNotEmpty();
  }

  @Test
  void usesTheStrategiesThatAreNamed() {
    var ran = run("claims", "--strategy", "simple-keyword", "--strategy", "arce", "--explain");

    assertThat(ran.out())
        .contains("semantic-embedding: others were named\n")
        .containsPattern("arce +found");
  }

  @Test
  void keepsItsIndexInADirectory(@TempDir Path data) {
    assertThat(run("claims", "--data", data.toString()).exitCode()).isZero();
    assertThat(data.resolve("context")).isNotEmptyDirectory();

    assertThat(run("claims", "--data", data.toString()).out()).contains("== claims.md");
  }

  @Test
  void saysThatNothingMatches() {
    var ran = run("zeppelin");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).startsWith("Nothing was found.\n");
  }

  @Test
  void refusesWhatItCannotDo_withTheReason() {
    assertThat(run(""))
        .isEqualTo(refused(2, "query must not be empty: say what is to be done or known"));
    assertThat(run("x", "--budget", "0"))
        .isEqualTo(refused(2, "budget must leave at least 1 token for the context: was 0"));
    assertThat(run("x", "--budget", "-3").exitCode()).isEqualTo(2);
    assertThat(run("x", "--strategy", "semantic").err())
        .startsWith("handoff: strategy \"semantic\" does not exist; known: arce, ");
    var nowhere = CliHarness.run("context", "x", "--root", root.resolve("nowhere").toString());
    assertThat(nowhere.exitCode()).isEqualTo(3);
    assertThat(nowhere.err()).contains("nowhere").contains("does not exist");
    assertThat(CliHarness.run("context").exitCode()).isEqualTo(2);
  }

  @Test
  void fails_whenNoStrategyCanLook_andExplainsWhy() {
    var ran = run("x", "--strategy", "temporal-archaeology", "--explain");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .containsPattern("temporal-archaeology +skipped")
        .contains(
            "handoff: no strategy could look: temporal-archaeology: it needs GIT, which is not"
                + " there\n");
    assertThat(run("x", "--strategy", "temporal-archaeology", "--json").err())
        .startsWith("{\"error\":\"no strategy could look");
  }

  private static CliHarness.Ran refused(int exitCode, String words) {
    return new CliHarness.Ran(exitCode, "", "handoff: " + words + "\n");
  }

  private static List<String> names(JsonNode node) {
    var names = new ArrayList<String>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private CliHarness.Ran run(String query, String... more) {
    var args = new ArrayList<>(List.of("context", query, "--root", root.toString()));
    args.addAll(List.of(more));
    return CliHarness.run(args.toArray(String[]::new));
  }
}
