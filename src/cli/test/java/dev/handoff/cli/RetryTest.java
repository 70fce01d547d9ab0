package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A retry from the command line")
class RetryTest {

  private static final String NONE = "01K9XVW5ZB0000000000000000";

  /// Job that fails until a file exists.
  private static final String DOOR =
      "{\"type\":\"exec\",\"maxAttempts\":1,\"payload\":{\"argv\":[\"test\",\"-e\",\"%s\"]}}\n";

  @TempDir Path dir;

  @Test
  void opensAFailedJobAgainAndNamesTheCommandThatRunsIt() throws IOException {
    var failed = run(door());
    var retried = TypedCommand.again(failed, "try again what failed: ");
    Files.createFile(dir.resolve("door"));
    var ran = TypedCommand.again(retried, "run them: ");

    assertThat(failed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(retried.exitCode()).as(retried.err()).isZero();
    assertThat(retried.out()).startsWith(ids("exec").getFirst() + "  queued again\n");
    assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
    assertThat(ran.out()).startsWith("1 job: 1 succeeded, 1 needed more than one attempt");
    assertThat(run(door()).out()).contains("1 succeeded", "nothing was left to do");
  }

  @Test
  void opensAllThatHaveFailedWhereTheyAreTooManyToBeNamed() throws IOException {
    var failed = run("{\"type\":\"fail\",\"maxAttempts\":1}\n".repeat(4) + "{\"type\":\"noop\"}\n");

    var retried = TypedCommand.again(failed, "try again what failed: ");
    var left = TypedCommand.again(retried, "run them: ");

    assertThat(String.join(" ", TypedCommand.words(failed, "try again what failed: ")))
        .startsWith("retry --status failed");
    assertThat(retried.out().lines().filter(line -> line.endsWith("  queued again"))).hasSize(4);
    assertThat(left.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(left.out())
        .startsWith("4 jobs: 0 succeeded, 4 failed")
        .containsPattern("\n  failed \\([0-9A-Z]{26}\\): ");
  }

  @Test
  void reportsEachOfSeveralAndEndsWithTheWorst() throws IOException {
    run("{\"type\":\"fail\",\"maxAttempts\":1}\n{\"type\":\"noop\"}\n");
    var fail = ids("fail").getFirst();
    var noop = ids("noop").getFirst();

    var both = retry(fail, noop);
    var three = retry(noop, NONE, fail);

    assertThat(both.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(both.out())
        .contains(
            fail + "  queued again\n",
            noop + "  not retried: it is succeeded: only what failed or was cancelled");
    assertThat(three.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(three.out())
        .contains(NONE + "  not found\n", fail + "  not retried: it is queued")
        .doesNotContain("run them");
    assertThat(retry(NONE).exitCode()).isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void isReportedInJson() throws IOException {
    run("{\"type\":\"fail\",\"maxAttempts\":1}\n");
    var id = ids("fail").getFirst();

    var json = JsonMapper.builder().build().readTree(retry(id, NONE, "--json").out());

    assertThat(json.get("next").textValue()).startsWith("handoff run --data ");
    assertThat(json.get("jobs"))
        .extracting(job -> job.get("id").textValue(), job -> job.get("outcome").textValue())
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(id, "queued again"),
            org.assertj.core.groups.Tuple.tuple(NONE, "not found"));
  }

  @Test
  void hasNothingToDoWhereNothingHasFailed() throws IOException {
    run("{\"type\":\"noop\"}\n");

    var ran = retry("--status", "failed");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).isEqualTo("no jobs are failed\n");
    assertThat(CliHarness.run("retry", "--status", "failed", "--data", dir + "/none").exitCode())
        .isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void namesTheHostsThatItsJobsAsk() throws IOException {
    var line = "{\"type\":\"http\",\"payload\":{\"url\":\"http://%s/\"},\"maxAttempts\":1}\n";
    var file =
        Files.writeString(
            dir.resolve("jobs.ndjson"), line.formatted("127.0.0.1:1") + line.formatted("[::1]:1"));
    var hosts = List.of("--allow-http", "127.0.0.1", "--allow-http", "[::1]:1");
    var words = new ArrayList<>(List.of("run", file.toString(), "--data", data()));
    words.addAll(hosts);
    words.add("--allow-http-private");
    CliHarness.run(words.toArray(String[]::new));

    var retried = retry("--status", "failed");
    var ran = TypedCommand.again(retried, "run them: ");

    assertThat(TypedCommand.words(retried, "run them: "))
        .containsSequence("--allow-http", "127.0.0.1:1", "--allow-http", "[::1]:1")
        .endsWith("--allow-http-private");
    assertThat(ran.out()).startsWith("2 jobs: 0 succeeded, 2 failed").doesNotContain("not allowed");
  }

  @Test
  void saysThatAJobMayHaveEndedWithoutBeingKept() throws IOException {
    Handoff.builder().directory(Path.of(data())).set("history.succeeded", "drop").start().close();

    var shown = CliHarness.run("show", NONE, "--data", data());
    var retried = retry(NONE);

    assertThat(shown.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(shown.err())
        .startsWith("handoff: job " + NONE + " in " + data() + ": it has ended and was not kept")
        .contains("or was never here")
        .doesNotContain("does not exist");
    assertThat(retried.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(retried.out()).startsWith(NONE + "  not kept: it has ended and was not kept");
  }

  @Test
  void leavesStepsToTheirPlan() throws IOException {
    var file =
        Files.writeString(
            dir.resolve("plan.json"),
            "{\"name\":\"p\",\"steps\":[{\"name\":\"a\",\"type\":\"fail\",\"maxAttempts\":1}]}");
    CliHarness.run("plan", "run", file.toString(), "--data", data());

    var all = retry("--status", "failed");
    var one = retry(ids("fail").getFirst());

    assertThat(all.out()).isEqualTo("no jobs are failed\n");
    assertThat(one.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(TypedCommand.again(one, "it is a step: ").out())
        .contains("0 of 1 steps succeeded, 1 failed");
  }

  @Test
  void opensJobsThatOnlyAnotherProgramCanRun() throws IOException {
    try (var handoff =
        Handoff.builder()
            .directory(Path.of(data()))
            .handler(
                "mail",
                Object.class,
                (payload, job) -> {
                  throw new IllegalStateException("no paper");
                })
            .start()) {
      handoff
          .submitOrThrow(JobRequest.of("mail").maxAttempts(1))
          .result()
          .toCompletableFuture()
          .join();
    }

    var retried = retry("--status", "failed");
    var ran = CliHarness.run("run", "--data", data());

    assertThat(retried.exitCode()).isZero();
    assertThat(retried.out())
        .contains("(type mail: run by the program that has a handler for it)")
        .doesNotContain("run them");
    assertThat(ran.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(ran.err())
        .contains(
            "no unfinished job of the store can be run", "1 job of type mail: does not exist");
  }

  @Test
  void isRunWithoutAFileOnlyWhereThereIsAStore() throws IOException {
    assertThat(CliHarness.run("run", "--data", data()).exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    run("{\"type\":\"noop\"}\n");

    var ran = CliHarness.run("run", "--data", data());

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).isEqualTo("no jobs were left in the store\n");
  }

  private String door() {
    return DOOR.formatted(dir.resolve("door"));
  }

  private CliHarness.Ran run(String lines) throws IOException {
    var file = Files.writeString(dir.resolve("jobs.ndjson"), lines);
    return CliHarness.run("run", file.toString(), "--data", data(), "--allow-exec");
  }

  private CliHarness.Ran retry(String... words) {
    var all = new ArrayList<>(List.of("retry", "--data", data()));
    all.addAll(List.of(words));
    return CliHarness.run(all.toArray(String[]::new));
  }

  private List<String> ids(String type) throws IOException {
    var ids = new ArrayList<String>();
    JsonMapper.builder()
        .build()
        .readTree(CliHarness.run("list", "--json", "--type", type, "--data", data()).out())
        .forEach((JsonNode job) -> ids.add(job.get("id").textValue()));
    return ids;
  }

  private String data() {
    return dir.resolve("data").toString();
  }
}
