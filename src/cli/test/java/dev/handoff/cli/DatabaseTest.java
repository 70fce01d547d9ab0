package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.store.PostgresServer;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The program on PostgreSQL")
class DatabaseTest {

  @TempDir Path dir;

  @Test
  void runsListsAndShowsAsOnFiles() throws IOException {
    var url = PostgresServer.shared().newSchema();
    var file =
        Files.writeString(
            dir.resolve("jobs.ndjson"),
            "{\"type\":\"echo\",\"key\":\"a\",\"payload\":{\"x\":1}}\n");

    var run = CliHarness.run("run", file.toString(), "--database", url);
    var again = CliHarness.run("run", file.toString(), "--database", url, "--json");
    var list = CliHarness.run("list", "--database", url);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("1 job: 1 succeeded");
    assertThat(again.out()).contains("\"acceptedEarlier\" : 1");
    assertThat(list.out()).contains("succeeded", "echo");
    var id = list.out().lines().skip(1).findFirst().orElseThrow().substring(0, 26);
    assertThat(CliHarness.run("show", id, "--database", url).out()).contains("{\"x\":1}");
    assertThat(CliHarness.run("doctor", "--database", url).out()).contains("postgres in");
  }

  @Test
  void saysThatADatabaseCannotBeReached() throws IOException {
    var file = Files.writeString(dir.resolve("jobs.ndjson"), "{\"type\":\"noop\"}\n");
    var away = "jdbc:postgresql://127.0.0.1:1/none?user=me&password=secret&connectTimeout=1";

    for (var ran :
        new CliHarness.Ran[] {
          CliHarness.run("run", file.toString(), "--database", away),
          CliHarness.run("list", "--database", away)
        }) {
      assertThat(ran.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(ran.err())
          .startsWith("handoff: ")
          .contains("127.0.0.1")
          .doesNotContain("secret", "\tat ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "host/jobs, host/jobs",
    "host/jobs?user=me&password=secret, host/jobs",
    "host/jobs?user=me&currentSchema=a&sslmode=require,"
        + " 'host/jobs?currentSchema=a&sslmode=require'",
    "host/jobs?currentSchema=a&sslpassword=secret&PASSWORD=secret, 'host/jobs?currentSchema=a'",
    "host/jobs?userName=a, 'host/jobs?userName=a'"
  })
  void namesADatabaseWithoutWhoAsks(String given, String named) {
    var store = new StoreOptions();
    store.database = "jdbc:postgresql://" + given;

    var word =
        named.contains("?") ? "'jdbc:postgresql://" + named + "'" : "jdbc:postgresql://" + named;
    assertThat(store.again()).isEqualTo(" --database " + word);
  }

  @Test
  void saysThatThereIsNoStoreInADatabase() {
    var ran = CliHarness.run("list", "--database", PostgresServer.shared().newSchema());

    assertThat(ran.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void isFineAccordingToTheDoctorWhereADatabaseIsEmpty() {
    var ran = CliHarness.run("doctor", "--database", PostgresServer.shared().newSchema());

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("there is no store in", "yet: the first run creates it", "true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run -", "list", "doctor", "plan list"})
  void cannotBeReachedByWhoeverTheServerDoesNotKnow(String call) {
    var url = PostgresServer.shared().newSchema().replace("user=postgres", "user=nobody_we_know");
    var words = new ArrayList<>(List.of(call.split(" ")));
    words.addAll(List.of("--database", url));

    var ran = CliHarness.withInput("{\"type\":\"noop\"}", words.toArray(String[]::new));

    assertThat(ran.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(ran.out() + ran.err()).contains("nobody_we_know");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void saysThatTheStoreIsAwayAndBackAndNothingOfItsParts() throws Exception {
    try (var server = PostgresServer.start(PostgresServer.CARELESS)) {
      var url = server.newSchema();
      var job =
          "{\"type\":\"exec\",\"payload\":{\"argv\":[\"sh\",\"-c\",\"echo >> started; sleep"
              + " 0.1\"]}}\n";
      Files.writeString(dir.resolve("jobs.ndjson"), job.repeat(40));
      var run =
          ProgramProcess.start(
              dir, "run", "jobs.ndjson", "--database", url, "--allow-exec", "--workers", "2");
      ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("started")) >= 4);

      server.kill();
      ProgramProcess.await(() -> complains(run, "the store is away"));
      server.start();

      assertThat(run.exitCode()).as(run.complained()).isZero();
      assertThat(run.said()).startsWith("40 jobs: 40 succeeded");
      assertThat(run.complained().lines().filter(line -> !line.contains(" done, ")))
          .satisfiesExactly(
              away ->
                  assertThat(away)
                      .matches("the store is away since \\d\\d:\\d\\d:\\d\\d: .+")
                      .doesNotContain("batch"),
              back -> assertThat(back).matches("the store is back, after [0-9.]+m?s"));
    }
  }

  /// The summary lists the failed jobs with their reasons.
  @Test
  void doesNotLogFailedJobsIntoTheTerminal() {
    var url = PostgresServer.shared().newSchema();

    var ran =
        CliHarness.withInput(
            "{\"type\":\"fail\",\"backoff\":\"none\"}", "run", "-", "--database", url);

    assertThat(ran.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).contains("1 job: 0 succeeded, 1 failed");
  }

  private static boolean complains(ProgramProcess run, String words) {
    try {
      return run.complained().contains(words);
    } catch (IOException unread) {
      return false;
    }
  }

  /// The JDBC driver has a log of its own.
  @Test
  void saysNothingBesideItsOwnWords() throws Exception {
    var child = ProgramProcess.start(dir, "list", "--database", "jdbc:postgresql://x:y:z/w");

    assertThat(child.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(child.complained()).startsWith("handoff: ").hasLineCount(1);
  }

  @Test
  void needsNoDirectoryForWhatComesFromStandardInput() {
    var directory = Path.of("handoff-data");
    boolean before = Files.exists(directory);
    var url = PostgresServer.shared().newSchema();

    var ran = CliHarness.withInput("{\"type\":\"noop\"}", "run", "-", "--database", url);

    assertThat(ran.out()).as(ran.err()).startsWith("1 job: 1 succeeded");
    assertThat(Files.exists(directory)).isEqualTo(before);
  }
}
