package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A file of jobs that is run again")
class RunAgainTest {

  private static final String NOOP = "{\"type\":\"noop\"}\n";
  private static final String ONE = "{\"type\":\"echo\",\"payload\":1}\n";
  private static final String TWO = "{\"type\":\"echo\",\"payload\":2}\n";
  private static final String KEYED = "{\"type\":\"noop\",\"key\":\"k\"}\n";

  @TempDir Path dir;

  @Test
  void repeatsNothingWhenALineWasRemoved() throws IOException {
    accepts(2, NOOP + NOOP);

    accepts(0, NOOP);
  }

  @Test
  void repeatsNothingWhenLinesWereMoved() throws IOException {
    accepts(4, ONE + TWO + ONE + NOOP);

    accepts(0, NOOP + ONE + ONE + "\n" + TWO);
  }

  @Test
  void takesNothingButTheLinesThatWereAdded() throws IOException {
    accepts(2, ONE + ONE);

    accepts(1, TWO + ONE + ONE);
    accepts(1, ONE + TWO + ONE + ONE);
    accepts(0, ONE + TWO + ONE + ONE);
  }

  @Test
  void takesALineThatWasChangedForAnother() throws IOException {
    accepts(1, ONE);

    accepts(1, "{\"type\":\"echo\",\"payload\":1,\"priority\":1}\n");
  }

  /// The order of fields, white space and escapes do not distinguish lines.
  @Test
  void repeatsNoLineThatIsTheSameJson() throws IOException {
    accepts(1, "{\"type\":\"echo\",\"payload\":{\"a\":[1,{\"x\":1.5,\"y\":2}],\"b\":\"c\"}}\n");

    var ran =
        accepts(
            0,
            "{ \"payload\" : {\"b\":\"\\u0063\", \"a\":[1, {\"y\":2,\"x\":1.5}]}, \"type\":\"echo\""
                + " }\n");

    assertThat(ran.get("acceptedEarlier").intValue()).isEqualTo(1);
    assertThat(ran.get("refused").intValue()).isZero();
  }

  @Test
  void repeatsNothingUnderAnotherNameOrFromStandardInput() throws IOException {
    accepts(2, ONE + TWO);
    var other = Files.writeString(dir.resolve("other"), TWO + ONE);

    var renamed = json(CliHarness.run("run", other.toString(), "--data", data(), "--json"));
    var piped = json(CliHarness.withInput(TWO, "run", "-", "--data", data(), "--json"));

    assertThat(renamed.get("accepted").intValue()).isZero();
    assertThat(piped.get("accepted").intValue()).isZero();
  }

  @Test
  void isNoFailureAndNamesTheCommandThatRunsItOnceMore() throws IOException {
    run(ONE + TWO);

    var again = run(ONE + TWO);

    assertThat(again.exitCode()).isZero();
    assertThat(again.out())
        .startsWith("2 jobs: 2 succeeded")
        .contains("all had ended in an earlier run: nothing was left to do\n");
    for (int time = 0; time < 2; time++) {
      var once = TypedCommand.again(again, "run all of them once more: ");
      assertThat(once.exitCode()).isZero();
      assertThat(once.out()).startsWith("2 jobs: 2 succeeded").doesNotContain("before");
    }
    assertThat(count("echo")).isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"with blanks", "it's", "-e"})
  @DisabledOnOs(OS.WINDOWS)
  void namesThatCommandAlsoForAFileWithAnOddName(String name) throws IOException {
    var file = Files.writeString(dir.resolve(name), NOOP).toString();
    var words = new String[] {"run", "--data", data() + name, file};
    CliHarness.run(words);

    var once = TypedCommand.again(CliHarness.run(words), "run all of them once more: ");

    assertThat(once.out()).as(once.err()).startsWith("1 job: 1 succeeded").doesNotContain("before");
  }

  @Test
  void namesAFileThatBeginsLikeAnOptionSoThatItCanBeTyped() {
    var hints = new RunHints(java.util.Optional.of("-e"), "", "", "");

    assertThat(hints.again()).contains("handoff run ./-e --again");
  }

  @Test
  void namesWhatMayRunInThatCommand() throws IOException {
    var lines = "{\"type\":\"exec\",\"payload\":{\"argv\":[\"true\"]}}\n";
    run(lines, "--allow-exec");

    var once = TypedCommand.again(run(lines, "--allow-exec"), "run all of them once more: ");

    assertThat(once.exitCode()).as(once.err()).isZero();
    assertThat(count("exec")).isEqualTo(2);
  }

  @Test
  void leavesLinesAloneThatHaveAKeyOfTheirOwn() throws IOException {
    run(KEYED + NOOP);
    run(KEYED + NOOP, "--again");

    var some = run(KEYED + NOOP);
    var all = run(KEYED);

    assertThat(count("noop")).isEqualTo(3);
    assertThat(some.out()).contains("(not the 1 that has a key, which says that it runs once)");
    assertThat(all.exitCode()).isZero();
    assertThat(all.out())
        .contains("each line has a key, which says that it runs once")
        .doesNotContain("--again");
  }

  @Test
  void runsOnceInEachRunThatHasAName() throws IOException {
    accepts(1, NOOP);

    accepts(1, NOOP, "--run", "monday");
    accepts(0, NOOP, "--run", "monday");
    accepts(1, NOOP, "--run", "tuesday");
  }

  @Test
  void goesOnWithARunThatWasStopped() throws IOException {
    var lines = "{\"type\":\"fail\",\"maxAttempts\":1}\n{\"type\":\"noop\",\"delay\":\"1500ms\"}\n";
    run(lines);

    var stopped = run(lines, "--again", "--max-failures", "1");
    var next = TypedCommand.again(stopped, "go on: ");

    assertThat(stopped.err()).contains("a new run; resume it with: handoff run ");
    assertThat(next.out())
        .startsWith("2 jobs: 1 succeeded, 1 failed")
        .contains("2 of them had been accepted before, 1 had ended in an earlier run");
    assertThat(count("noop")).isEqualTo(2);
  }

  @Test
  void isNotBegunOnceMoreBeforeItHasEnded() throws IOException {
    var lines = "{\"type\":\"fail\",\"maxAttempts\":1}\n{\"type\":\"noop\",\"delay\":\"1h\"}\n";
    run(lines, "--run", "one", "--max-failures", "1");

    var refused = run(lines, "--again");
    var other = run(ONE, "--again");
    var named = run(lines, "--run", "two", "--max-failures", "1");
    var next = TypedCommand.words(refused, "go on: ");

    assertThat(refused.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused.err()).contains("1 job is not done");
    assertThat(other.exitCode()).as(other.err()).isZero();
    assertThat(named.out()).contains("1 failed").doesNotContain("before");
    assertThat(next).startsWith("run").containsSequence("--run", "one", "--data");
  }

  @Test
  void isAFailureStillWhereItsJobsHaveFailed() throws IOException {
    var lines = "{\"type\":\"fail\",\"maxAttempts\":1}\n";
    run(lines);

    var again = run(lines);

    assertThat(again.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(again.out())
        .contains("all had ended in an earlier run\n", "try again what failed: handoff retry ")
        .contains("run all of them once more: handoff run ");
  }

  @Test
  void tellsInJsonHowItGoesOn() throws IOException {
    var lines = "{\"type\":\"fail\",\"maxAttempts\":1}\n{\"type\":\"noop\",\"delay\":\"1h\"}\n";

    var ran = json(run(lines, "--json", "--run", "one", "--max-failures", "1"));

    assertThat(ran.get("run").textValue()).isEqualTo("one");
    assertThat(ran.get("next").textValue())
        .startsWith("handoff run ")
        .contains(" --run one --data ");
    assertThat(json(run(NOOP, "--json")).get("next").isNull()).isTrue();
  }

  @Test
  void cannotBeNewAndHaveANameAtTheSameTime() throws IOException {
    var both = run(NOOP, "--again", "--run", "one");
    var bad = run(NOOP, "--run", "a b");

    assertThat(both.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(both.err()).contains("--again makes a new name for the run");
    assertThat(bad.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(bad.err()).contains("--run \"a b\" is not a name");
  }

  @Test
  void cannotBeNamedWhereItCameFromStandardInput() {
    CliHarness.withInput(NOOP, "run", "-", "--data", data());

    var again = CliHarness.withInput(NOOP, "run", "-", "--data", data());

    assertThat(again.out()).contains("with --again all of them run once more");
  }

  private long count(String type) throws IOException {
    return json(CliHarness.run("list", "--json", "--type", type, "--data", data())).size();
  }

  /// Runs a file of these lines, and asserts the number of new jobs.
  private JsonNode accepts(int jobs, String lines, String... options) throws IOException {
    var all = new ArrayList<>(List.of(options));
    all.add("--json");
    var ran = run(lines, all.toArray(String[]::new));
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(json(ran).get("accepted").intValue()).isEqualTo(jobs);
    return json(ran);
  }

  private CliHarness.Ran run(String lines, String... options) throws IOException {
    var file = Files.writeString(dir.resolve("jobs.ndjson"), lines);
    var words = new ArrayList<>(List.of("run", file.toString(), "--data", data()));
    words.addAll(List.of(options));
    return CliHarness.run(words.toArray(String[]::new));
  }

  private String data() {
    return dir.resolve("data").toString();
  }

  private static JsonNode json(CliHarness.Ran ran) throws IOException {
    return JsonMapper.builder().build().readTree(ran.out());
  }
}
