package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.PlanFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The program")
class UsageTest {

  @TempDir Path dir;

  @Test
  void saysWhatItCanDo() {
    var ran = CliHarness.run("--help");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).contains("demo", "run", "list", "show", "doctor", "Exit codes:");
    assertThat(ran.out().lines())
        .hasSizeLessThan(30)
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "plan"})
  void saysWhatItCanDoWhereNoCommandIsNamed(String call) {
    var ran = call.isEmpty() ? CliHarness.run() : CliHarness.run(call);

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).isEqualTo(CliHarness.run((call + " --help").strip().split(" ")).out());
  }

  @Test
  void tellsInJsonThatNoCommandIsNamed() {
    assertThat(CliHarness.run("--json").err())
        .isEqualTo("{\"error\":\"handoff needs a command\",\"exitCode\":2}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "run", "list", "show", "retry", "doctor"})
  void explainsEachCommandInShortAndPlainWords(String command) {
    var ran = CliHarness.run(command, "--help");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .startsWith("Usage: handoff " + command)
        .contains("--json", "--verbose", "--help");
    assertThat(ran.out().lines()).hasSizeLessThan(50);
  }

  @Test
  void showsAPlanThatCanBePasted() {
    var help = CliHarness.run("plan", "run", "--help").out();
    var end = "]}]}";
    var plan = help.substring(help.indexOf("{\"name\""), help.indexOf(end) + end.length());

    assertThat(PlanFile.parse("help", plan.getBytes(StandardCharsets.UTF_8)).lines())
        .containsOnlyKeys("a", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V"})
  void saysItsVersion(String option) {
    var ran = CliHarness.run(option);

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).startsWith("handoff ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "lisst | command \"lisst\" does not exist; known: demo, run, list, show, retry, plan,"
            + " context, doctor",
        "list --speed 5 | option --speed does not exist; known: --after, --data,",
        "list --limit many | 'many' is not an int",
        "list --limit 0 | --limit must be 1 to 10000, was 0",
        "list --limit 10001 | --limit must be 1 to 10000, was 10001",
        "list --status done | status \"done\" does not exist; known: waiting",
        "list --label x | --label must be NAME=VALUE",
        "list --after x | \"x\" is not a job id",
        "list --database jdbc:postgresql://x:y:z/w | --database is not of the form",
        "list --data d --database jdbc:postgresql://x/y | --data and --database name two stores",
        "run f --data d --database jdbc:postgresql://x/y | --data and --database name two stores",
        "plan run f --data d --database jdbc:postgresql://x/y | --data and --database name two",
        "plan list --data d --database jdbc:postgresql://x/y | --data and --database name two",
        "doctor --data d --database jdbc:postgresql://x/y | --data and --database name two stores",
        "list --database mysql://x | --database must begin with jdbc:postgresql:",
        "show | Missing required parameter",
        "show 17 | \"17\" is not a job id",
        "show a b | \"b\" is one argument too many: put text with spaces into quotes",
        "run --again | --again needs a FILE to run",
        "run --run one | --run needs a FILE to run",
        "retry | name either the ids of jobs, or --status failed",
        "retry 01K9XVW5ZB0000000000000000 --status failed | name either the ids of jobs",
        "retry 17 | \"17\" is not a job id",
        "retry --status queued | --status must be failed or cancelled, was queued",
        "run f --workers 0 | --workers must be 1 to 100000, was 0",
        "run f --max-failures -1 | --max-failures must be 0 or more",
        "run f --allow-http http://api | --allow-http names a host, such as api.example.org,"
            + " localhost:8080 or [2001:db8::1]:8080, was http://api",
        "run f --allow-http a,b | --allow-http names a host",
        "run f --allow-http api:99999 | --allow-http port 99999 of api:99999 does not exist",
        "run f --allow-http [::x]:1 | --allow-http names a host",
        "run f --allow-http [1:2]:1 | --allow-http 1:2 is not an address",
        "run f --allow-http 10.0.0.1 | --allow-http 10.0.0.1 is a private address: it needs"
            + " --allow-http-private, too",
        "run f --allow-http [::1]:80 | --allow-http ::1 is a loopback address",
        "run f --allow-http localhost:80 | --allow-http localhost is a loopback address",
        "plan run f --allow-http 127.0.0.1 | --allow-http 127.0.0.1 is a loopback address",
        "run f --grace long | --grace: \"long\" is not a duration",
        "run f --grace 5m1s | --grace must be at most 5m",
        "run f --grace 6m | --grace must be at most 5m"
      })
  void saysInOneLineWhatIsWrongWithACall(String call, String words) {
    var ran = CliHarness.run(call.strip().split(" "));

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("handoff: ").contains(words.strip());
    assertThat(ran.err().lines()).hasSizeLessThan(3);
  }

  /// An unset shell variable must not denote the current directory.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "plan apply 01K9Z3N0W6000000000000000A --to",
        "list --data",
        "run f --data",
        "context words --root"
      })
  void refusesDirectoriesWithoutAName(String call) {
    var words = new ArrayList<>(List.of(call.split(" ")));
    words.add("");

    var ran = CliHarness.run(words.toArray(String[]::new));

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err())
        .contains(
            words.get(words.size() - 2),
            "the path is empty: name a directory, or . for" + " the current one");
  }

  @Test
  void showsNoControlCharactersOfItsArguments() {
    assertThat(CliHarness.run("list", "--\u001b[31mred").err())
        .doesNotContain("\u001b")
        .contains("\\u001b[31m");
    assertThat(CliHarness.run("show", "\u202Eabc").err())
        .doesNotContain("\u202E")
        .contains("\\u202e");
  }

  @Test
  void takesNoArgumentForAFileOfArguments() {
    assertThat(Path.of("build.sbt")).exists();

    var ran = CliHarness.run("plan", "run", "@build.sbt", "--data", dir.resolve("data").toString());

    assertThat(ran.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(ran.err()).contains("@build.sbt does not exist");
  }

  @Test
  void namesADirectoryThatBeginsLikeAnOptionSoThatItCanBeTyped() {
    assertThat(NextCommand.option("--data", "-V")).isEqualTo(" --data=-V");
    assertThat(CliHarness.run("list", "--data=-V").err()).contains("there is no store in -V");
  }

  @Test
  void doesNotFindWhatIsNotThere() {
    var data = dir.resolve("none").toString();

    var list = CliHarness.run("list", "--data", data);
    var run = CliHarness.run("run", dir.resolve("no.ndjson").toString(), "--data", data);

    assertThat(list.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(list.err()).contains("there is no store in " + data);
    assertThat(run.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(run.err()).contains("no.ndjson does not exist");
    assertThat(CliHarness.run("run", dir.toString(), "--data", data).exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThat(CliHarness.run("run", "a\0b", "--data", data).exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(Path.of(data)).doesNotExist();
  }

  @Test
  void tellsErrorsInJsonWhenAskedTo() {
    var ran = CliHarness.run("list", "--json", "--data", dir.resolve("none").toString());

    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .startsWith("{\"error\":\"there is no store")
        .endsWith("\"exitCode\":3}\n");
  }

  @Test
  void tellsWrongUsageInJsonWhenAskedTo() {
    var ran = CliHarness.run("list", "--json", "--limit", "0");

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("{\"error\":\"--limit must be").endsWith("\"exitCode\":2}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "list", "doctor"})
  void wantsADirectoryForTheStore(String command) throws IOException {
    var file = Files.writeString(dir.resolve("file"), "").toString();

    var ran =
        command.equals("run")
            ? CliHarness.run(command, file, "--data", file)
            : CliHarness.run(command, "--data", file);

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.out() + ran.err()).contains(file + " is not a directory: --data needs");
  }

  @Test
  void isFineInAnEmptyDirectoryAccordingToTheDoctor() {
    var ran = CliHarness.run("doctor", "--data", dir.toString());

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("none yet in");
  }

  @Test
  void showsWhereAnErrorCameFromOnlyWhenAskedTo() {
    assertThat(CliHarness.run("list", "--data", dir.resolve("none").toString()).err())
        .doesNotContain("\tat ");
    assertThat(CliHarness.run("list", "--verbose", "--data", dir.resolve("none").toString()).err())
        .contains("\tat ");
  }

  @Test
  void isFineAccordingToTheDoctor() {
    var ran = CliHarness.run("doctor", "--data", dir.resolve("none").toString());

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("java ", "none yet in");
    assertThat(CliHarness.run("doctor", "--json", "--data", dir.resolve("none").toString()).out())
        .startsWith("{")
        .contains("\"ok\" : true");
  }

  @Test
  void isNotFineAccordingToTheDoctorWhenItsDatabaseIsAway() {
    var ran =
        CliHarness.run(
            "doctor", "--database", "jdbc:postgresql://127.0.0.1:1/none?connectTimeout=1");

    assertThat(ran.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(ran.out()).contains("store ");
  }
}
