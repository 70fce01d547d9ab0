package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.store.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    var run = Cli.run("run", file.toString(), "--database", url);
    var again = Cli.run("run", file.toString(), "--database", url, "--json");
    var list = Cli.run("list", "--database", url);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("1 job: 1 succeeded");
    assertThat(again.out()).contains("\"acceptedEarlier\" : 1");
    assertThat(list.out()).contains("succeeded", "echo");
    var id = list.out().lines().skip(1).findFirst().orElseThrow().substring(0, 26);
    assertThat(Cli.run("show", id, "--database", url).out()).contains("{\"x\":1}");
    assertThat(Cli.run("doctor", "--database", url).out()).contains("postgres in");
  }

  @Test
  void saysThatADatabaseCannotBeReached() throws IOException {
    var file = Files.writeString(dir.resolve("jobs.ndjson"), "{\"type\":\"noop\"}\n");
    var away = "jdbc:postgresql://127.0.0.1:1/none?user=me&password=secret&connectTimeout=1";

    for (var ran :
        new Cli.Ran[] {
          Cli.run("run", file.toString(), "--database", away), Cli.run("list", "--database", away)
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
    var ran = Cli.run("list", "--database", PostgresServer.shared().newSchema());

    assertThat(ran.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
  }
}
