package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpServer;
import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A run")
class RunTest {

  @TempDir Path dir;

  private String data;

  @BeforeEach
  void nameStore() {
    data = dir.resolve("data").toString();
  }

  @Test
  void endsWithZeroWhenAllHasSucceeded() throws IOException {
    var ran =
        run(
            "{\"type\":\"noop\"}\n"
                + "{\"type\":\"echo\",\"payload\":{\"a\":1}}\n"
                + "{\"type\":\"sleep\",\"payload\":{\"ms\":5}}\n");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).matches("3 jobs: 3 succeeded  \\(.*\\)\n");
    assertThat(ran.err()).isEmpty();
  }

  @Test
  void endsWithOneWhenSomethingHasFailed() throws IOException {
    var ran =
        run(
            """
            {"type":"noop"}
            {"type":"fail","payload":{"message":"out of paper"},"maxAttempts":2,"backoff":"none"}
            {"type":"fail","payload":{"times":1},"backoff":"1ms"}
            """);

    assertThat(ran.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ran.out())
        .startsWith("3 jobs: 2 succeeded, 1 failed, 2 needed more than one attempt")
        .containsPattern("  line 2: failed \\([0-9A-Z]{26}\\): out of paper\n");
  }

  @Test
  void tellsItsEndInJson() throws IOException {
    var ran = run("{\"type\":\"noop\"}\n{\"type\":\"fail\",\"maxAttempts\":1}\n", "--json");
    var json = json(ran);

    assertThat(json.get("jobs").intValue()).isEqualTo(2);
    assertThat(json.get("succeeded").intValue()).isEqualTo(1);
    assertThat(json.get("failed").intValue()).isEqualTo(1);
    assertThat(json.get("exitCode").intValue())
        .isEqualTo(ran.exitCode())
        .isEqualTo(ExitCode.FAILED);
    assertThat(json.get("stopped").isNull()).isTrue();
    assertThat(json.get("examples").get(0).get("line").intValue()).isEqualTo(2);
    assertThat(ran.err()).isEmpty();
  }

  @Test
  void takesNoLineTwice() throws IOException {
    var lines =
        "{\"type\":\"echo\",\"payload\":1}\n"
            + "{\"type\":\"echo\",\"payload\":1}\n"
            + "{\"type\":\"noop\",\"delay\":\"10ms\"}\n";

    var first = json(run(lines, "--json"));
    var second = json(run(lines + "{\"type\":\"noop\",\"key\":\"k\"}\n", "--json"));

    assertThat(first.get("accepted").intValue()).isEqualTo(3);
    assertThat(second.get("accepted").intValue()).isEqualTo(1);
    assertThat(second.get("acceptedEarlier").intValue()).isEqualTo(3);
    assertThat(second.get("succeeded").intValue()).isEqualTo(4);
    assertThat(run(lines).out()).contains("nothing was left to do");
    assertThat(CliHarness.run("list", "--json", "--data", data).out()).contains("\"key\" : \"k\"");
  }

  @Test
  void refusesALineWhoseKeyBelongsToAnotherJob() throws IOException {
    var ran = run("{\"type\":\"noop\",\"key\":\"k\"}\n{\"type\":\"echo\",\"key\":\"k\"}\n");

    assertThat(ran.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(ran.out())
        .contains("1 refused")
        .contains("  line 2: refused: key \"k\" belongs to job");
  }

  @Test
  void stopsAfterSoManyFailuresAndLeavesTheRest() throws IOException {
    var lines =
        "{\"type\":\"fail\",\"maxAttempts\":1}\n{\"type\":\"fail\",\"maxAttempts\":1}\n"
            + "{\"type\":\"sleep\",\"payload\":{\"ms\":60000},\"delay\":\"1h\"}\n".repeat(3);

    var ran = run(lines, "--max-failures", "2");

    assertThat(ran.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ran.out())
        .startsWith(
            "stopped after 2 failed jobs; 3 jobs are left for the next run with the same store\n")
        .contains("5 jobs: 0 succeeded, 2 failed, 3 not finished");
    assertThat(CliHarness.run("list", "--status", "scheduled", "--data", data).out().lines())
        .hasSizeBetween(1, 4);
  }

  @Test
  void countsTheFailuresOfAnEarlierOneNotAsItsOwn() throws IOException {
    var lines = "{\"type\":\"fail\",\"maxAttempts\":1}\n{\"type\":\"noop\",\"delay\":\"1s\"}\n";
    assertThat(run(lines, "--max-failures", "1").out()).contains("1 failed, 1 not finished");

    var again = run(lines, "--max-failures", "1");

    assertThat(again.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(again.out()).startsWith("2 jobs: 1 succeeded, 1 failed");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void takesItsJobsFromAPipe() throws Exception {
    var pipe = dir.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    var writer = new ProcessBuilder("sh", "-c", "echo '{\"type\":\"noop\"}' > " + pipe).start();

    var ran = CliHarness.run("run", pipe.toString(), "--data", data);

    assertThat(writer.waitFor()).isZero();
    assertThat(ran.out()).startsWith("1 job: 1 succeeded");
    assertThat(Path.of(data)).isDirectoryNotContaining("glob:**.ndjson");
  }

  @Test
  void workOffWhatAnEarlierOneLeft() throws IOException {
    try (var handoff =
        Handoff.builder()
            .directory(Path.of(data))
            .handler(
                "echo",
                Object.class,
                (p, job) -> {
                  job.cancellation().await(java.time.Duration.ofMinutes(1));
                  throw new IllegalStateException("stopped");
                })
            .shutdownGrace(java.time.Duration.ofMillis(10))
            .start()) {
      handoff.submitOrThrow(JobRequest.of("echo", "left behind").key("old"));
    }

    var ran = run("{\"type\":\"noop\"}\n");

    assertThat(ran.out()).startsWith("1 job: 1 succeeded");
    assertThat(CliHarness.run("list", "--data", data, "--type", "echo").out())
        .contains("succeeded");
  }

  @Test
  void readsStandardInput() {
    var ran =
        CliHarness.withInput(
            "{\"type\":\"noop\"}\n{\"type\":\"noop\"}", "run", "-", "--data", data);

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).startsWith("2 jobs: 2 succeeded");
    assertThat(dir.resolve("data")).isDirectoryNotContaining("glob:**.ndjson");
  }

  @Test
  void hasNothingToDoWithAnEmptyFile() throws IOException {
    var ran = run("\n\n");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).startsWith("0 jobs: 0 succeeded");
  }

  @Test
  void drawsABarInATerminal() throws IOException {
    var file =
        Files.writeString(
            dir.resolve("jobs.ndjson"),
            "{\"type\":\"sleep\",\"payload\":{\"ms\":400}}\n".repeat(3));

    var ran = CliHarness.inTerminal("run", file.toString(), "--data", data, "--workers", "1");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err()).contains("\r\u001b[K[", "1/3").endsWith("\r\u001b[K");
    assertThat(ran.out()).startsWith("3 jobs: 3 succeeded");
  }

  @Test
  void runsProgramsWhereTheyAreAllowed() throws IOException {
    var ran =
        run("{\"type\":\"exec\",\"payload\":{\"argv\":[\"echo\",\"hello\"]}}\n", "--allow-exec");

    assertThat(ran.exitCode()).isZero();
    assertThat(CliHarness.run("list", "--json", "--data", data).out())
        .contains("\"stdout\" : \"hello\\n\"");
  }

  @Test
  void saysWhoHasTheStore() throws IOException {
    try (var other =
        Handoff.builder()
            .directory(Path.of(data))
            .handler("x", Object.class, (p, job) -> p)
            .start()) {
      assertThat(other).isNotNull();

      var run = run("{\"type\":\"noop\"}\n");
      var list = CliHarness.run("list", "--data", data);

      for (var ran : new CliHarness.Ran[] {run, list}) {
        assertThat(ran.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(ran.err()).contains("pid " + ProcessHandle.current().pid());
      }
    }
  }

  @Test
  void keepsToTheNumberOfPartitionsThatAStoreHas() throws IOException {
    Handoff.builder()
        .directory(Path.of(data))
        .partitions(7)
        .handler("x", Object.class, (p, job) -> p)
        .start()
        .close();

    assertThat(run("{\"type\":\"noop\"}\n").exitCode()).isZero();
  }

  @Test
  void saysWhatOfAStoreIsDamaged() throws IOException {
    run("{\"type\":\"noop\"}\n");
    Files.write(Path.of(data, "handoff.db"), new byte[100_000], StandardOpenOption.WRITE);

    var run = run("{\"type\":\"noop\"}\n");
    var list = CliHarness.run("list", "--data", data);

    for (var ran : new CliHarness.Ran[] {run, list}) {
      assertThat(ran.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(ran.err()).startsWith("handoff: ").contains(data).doesNotContain("\tat ");
    }
  }

  @Test
  void saysWhatOfTheLedgerIsDamaged() throws Exception {
    run(
        "{\"type\":\"noop\",\"delay\":\"1h\"}\n{\"type\":\"fail\",\"maxAttempts\":1}\n",
        "--max-failures",
        "1");
    try (var database = DriverManager.getConnection("jdbc:sqlite:" + Path.of(data, "handoff.db"));
        var statement = database.createStatement()) {
      statement.executeUpdate("UPDATE handoff_ledger SET facts = x'0102030405060708090a0b'");
    }

    var run = run("{\"type\":\"noop\"}\n");
    var list = CliHarness.run("list", "--data", data);

    for (var ran : new CliHarness.Ran[] {run, list}) {
      assertThat(ran.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(ran.err())
          .startsWith("handoff: ")
          .containsPattern("row|ledger|batch")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void sendsRequestsToHostsThatAreAllowed() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    try {
      var port = server.getAddress().getPort();
      var line =
          "{\"type\":\"http\",\"payload\":{\"url\":\"http://127.0.0.1:%d/\"},\"maxAttempts\":1}\n"
              .formatted(port);

      var allowed = run(line, "--allow-http", "127.0.0.1:" + port, "--allow-http-private");
      var elsewhere = run(line + "\n" + line, "--allow-http", "example.org");

      assertThat(allowed.exitCode()).as(allowed.out()).isZero();
      assertThat(elsewhere.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(elsewhere.err()).contains("is not allowed; allowed: example.org");
    } finally {
      server.stop(0);
    }
  }

  private CliHarness.Ran run(String lines, String... options) throws IOException {
    var file = Files.writeString(dir.resolve("jobs.ndjson"), lines);
    var args = new java.util.ArrayList<>(java.util.List.of("run", file.toString(), "--data", data));
    args.addAll(java.util.List.of(options));
    return CliHarness.run(args.toArray(String[]::new));
  }

  private static JsonNode json(CliHarness.Ran ran) throws IOException {
    return JsonMapper.builder().build().readTree(ran.out());
  }
}
