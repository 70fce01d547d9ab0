package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Uses real processes, which are killed and signalled.
@DisplayName("A run in a process of its own")
@DisabledOnOs(OS.WINDOWS)
class ProcessTest {

  @TempDir Path dir;

  @Test
  void endsTheProgramsOfOneThatWasKilledEvenIfTheirJobsAreNotStartedAgain() throws Exception {
    jobs(
        java.util.List.of(
            sh("echo $$ >> pid; exec sleep 1000").replace("}}", "},\"maxAttempts\":1}")));
    var killed = run();
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("pid")) == 1);
    var pid = Files.readString(dir.resolve("pid")).strip();
    var program = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    ProgramProcess.await(() -> logHas("\"pid\":" + pid));
    killed.signal("KILL");
    assertThat(killed.exitCode()).isEqualTo(137);
    assertThat(program.isAlive()).isTrue();
    assertThat(CliHarness.run("list", "--data", dir.resolve("data").toString()).out())
        .endsWith("1 job was running when its process ended\n");

    var next = run();
    int exitCode = next.exitCode();
    boolean livesOn = program.isAlive();
    program.destroyForcibly();

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(list().getFirst().get("error").get("type").textValue()).isEqualTo("worker-lost");
    assertThat(livesOn).isFalse();
  }

  /// Whether the store's log contains a text.
  private boolean logHas(String text) {
    try {
      var log = Files.readAllBytes(dir.resolve("data/handoff.db-wal"));
      return new String(log, StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException beingWritten) {
      return false;
    }
  }

  @Test
  void drainsAndSaysWhatIsLeftWhenItIsToldToTerminate() throws Exception {
    jobs(
        IntStream.rangeClosed(1, 20)
            .mapToObj(n -> sh("echo >> started; sleep 1; echo >> ended"))
            .toList());
    var run = run("--workers", "2");
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("started")) >= 2);

    run.signal("TERM");

    assertThat(run.exitCode()).isEqualTo(ExitCode.TERMINATED);
    assertThat(run.said())
        .contains("stopped by SIGTERM")
        .containsPattern("\\d+ jobs are left for the next run");
    assertThat(ProgramProcess.linesOf(dir.resolve("ended")))
        .isEqualTo(ProgramProcess.linesOf(dir.resolve("started")))
        .isLessThan(20);
    assertThat(list())
        .allSatisfy(job -> assertThat(job.get("status").textValue()).isIn("succeeded", "queued"));
  }

  @Test
  void endsWithZeroWhenItIsToldToTerminateAndNoWorkIsLeft() throws Exception {
    jobs(java.util.List.of(sh("echo >> started; sleep 1")));
    var run = run();
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("started")) >= 1);

    run.signal("TERM");

    assertThat(run.exitCode()).isZero();
    assertThat(run.said()).contains("stopped by SIGTERM; nothing was left to do");
  }

  @Test
  void putsBackWhatDoesNotEndInTimeWithoutCostingAnAttempt() throws Exception {
    jobs(java.util.List.of(sh("echo >> started; exec sleep 100")));
    var run = run("--grace", "300ms");
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("started")) >= 1);

    run.signal("INT");

    assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(run.complained()).contains("stopping: running jobs may end first");
    var job = list().getFirst();
    assertThat(job.get("status").textValue()).isEqualTo("queued");
    assertThat(job.get("starts").intValue()).isZero();
    assertThat(job.get("attempts").get(0).get("outcome").textValue()).isEqualTo("shutdown");
  }

  @Test
  void stopsAtOnceWhenItIsToldTwice() throws Exception {
    jobs(java.util.List.of(sh("trap '' TERM; echo >> started; sleep 100")));
    var run = run();
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("started")) >= 1);

    run.signal("INT");
    ProgramProcess.await(() -> saysStopping(run));
    run.signal("INT");

    assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(run.complained()).contains("stopped at once", "\ngo on: handoff run ");
  }

  @Test
  void saysNothingThatNobodyAskedFor() throws Exception {
    jobs(java.util.List.of("{\"type\":\"noop\"}"));

    var run = run();

    assertThat(run.exitCode()).isZero();
    assertThat(run.complained()).isEmpty();
    assertThat(run.said().lines()).hasSize(1);
    assertThat(dir.resolve("data/handoff.log")).isNotEmptyFile();
  }

  @Test
  void isRefusedWhileAnotherOneHasTheStore() throws Exception {
    jobs(java.util.List.of(sh("echo >> started; sleep 100")));
    var first = run("--grace", "10ms");
    ProgramProcess.await(() -> ProgramProcess.linesOf(dir.resolve("started")) >= 1);

    var second = run();
    var list = CliHarness.run("list", "--data", dir.resolve("data").toString());

    assertThat(second.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(second.complained()).contains("pid " + first.process().pid());
    assertThat(list.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(list.err()).contains("pid " + first.process().pid());
    first.signal("TERM");
    assertThat(first.exitCode()).isEqualTo(ExitCode.TERMINATED);
  }

  private static boolean saysStopping(ProgramProcess run) {
    try {
      return run.complained().contains("stopping");
    } catch (IOException unread) {
      return false;
    }
  }

  private void jobs(java.util.List<String> lines) throws IOException {
    Files.writeString(dir.resolve("jobs.ndjson"), lines.stream().collect(Collectors.joining("\n")));
  }

  private ProgramProcess run(String... options) throws IOException {
    var args =
        new ArrayList<>(java.util.List.of("run", "jobs.ndjson", "--data", "data", "--allow-exec"));
    args.addAll(java.util.List.of(options));
    return ProgramProcess.start(dir, args.toArray(String[]::new));
  }

  private static String sh(String script) {
    return "{\"type\":\"exec\",\"payload\":{\"argv\":[\"sh\",\"-c\",\"%s\"]}}".formatted(script);
  }

  private java.util.List<JsonNode> list() throws IOException {
    var ran =
        CliHarness.run(
            "list", "--json", "--limit", "10000", "--data", dir.resolve("data").toString());
    var jobs = new ArrayList<JsonNode>();
    JsonMapper.builder().build().readTree(ran.out()).forEach(jobs::add);
    return jobs;
  }
}
