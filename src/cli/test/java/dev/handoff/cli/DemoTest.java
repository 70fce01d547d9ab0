package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.handlers.HandlerSettings;
import dev.handoff.plan.PlanId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The demo")
class DemoTest {

  @TempDir Path dir;

  @Test
  void comesOutAsItAnnounces() throws IOException {
    var store = dir.resolve("store");

    var ran = CliHarness.inTerminal("demo", "--data", store.toString());

    assertThat(ran.exitCode()).as(ran.out()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .contains(
            "of 30 jobs over",
            "printed by priority: 6 5 4 3 2 1",
            "All 30 jobs and the plan of 10 steps came out as announced")
        .contains("12 of 12 succeeded", "2 of 2 failed", "3 each", "none", "1 each")
        .contains(
            "after bread, cakes, news",
            "decided: <h1>",
            "8 files: 5 created",
            "intact: 10 changesets")
        .doesNotContain("not as announced");
    assertThat(
            CliHarness.run("list", "--data", store.toString(), "--status", "cancelled")
                .out()
                .lines())
        .hasSize(3);
    assertThat(new DemoSite(store.resolve("site")).files()).isEqualTo(DemoSite.AFTER);
    assertThat(CliHarness.run("plan", "verify", plan(ran), "--data", store.toString()).out())
        .startsWith("intact")
        .contains(head(ran));
    assertThat(CliHarness.run("demo", "--data", store.toString()).exitCode())
        .isEqualTo(ExitCode.REFUSED);
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  @DisabledOnOs(OS.WINDOWS)
  void canBeLeft(String signal, int exitCode) throws Exception {
    var demo = ProgramProcess.start(dir, "demo");
    ProgramProcess.await(() -> says(demo));

    demo.signal(signal);

    assertThat(demo.exitCode()).isEqualTo(exitCode);
    assertThat(demo.complained()).contains("left by SIG" + signal);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void answersInJson() throws Exception {
    var demo = ProgramProcess.start(dir, "demo", "--json");
    ProgramProcess.await(() -> complains(demo, "Twelve thumbnails"));

    demo.signal("INT");

    assertThat(demo.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(demo.said()).isEmpty();
    assertThat(demo.complained()).endsWith("{\"error\":\"left by SIGINT\",\"exitCode\":130}\n");
  }

  @Test
  void noticesWhatIsNotAsItWasAnnounced() {
    var failed = ended(JobRequest.of("fail").maxAttempts(1));
    var succeeded = ended(JobRequest.of("noop"));

    assertThat(role(JobStatus.FAILED, JobInfo.AttemptOutcome.FAILED).differences(failed)).isEmpty();
    assertThat(role(JobStatus.FAILED, JobInfo.AttemptOutcome.FAILED).differences(null))
        .containsExactly("is not there");
    assertThat(role(JobStatus.SUCCEEDED, JobInfo.AttemptOutcome.SUCCEEDED).differences(failed))
        .containsExactly("is failed", "attempts ended as failed");
    assertThat(
            role(
                    JobStatus.SUCCEEDED,
                    JobInfo.AttemptOutcome.FAILED,
                    JobInfo.AttemptOutcome.SUCCEEDED)
                .differences(succeeded))
        .containsExactly("attempts ended as succeeded");
    assertThat(role(JobStatus.CANCELLED).differences(succeeded)).contains("is succeeded");
    assertThat(DemoRole.words(List.of())).isEqualTo("never ran");
  }

  @Test
  void saysSoAndHasAnotherExitCodeThen() {
    var succeeded = ended(JobRequest.of("noop"));
    var roles = List.of(role(JobStatus.FAILED, JobInfo.AttemptOutcome.FAILED));
    var cast =
        new DemoCast(
            roles, new DemoPlanRole(new PlanId("01K9Z3N0W6000000000000000A"), null, 0, Map.of()));
    var found = new DemoRemains(Map.of("job", succeeded), null, null, Map.of());
    var report = DemoReport.of(cast, found, List.of(), Duration.ofSeconds(1));
    var out = new java.io.ByteArrayOutputStream();

    report.print(new Screen(new java.io.PrintStream(out, true), TerminalSetup.NONE));

    assertThat(out.toString())
        .contains("0 of 1 failed", "NO", "not as announced: job is succeeded", "not there")
        .doesNotContain("came out as announced");
    assertThat(report.problems())
        .containsExactly(
            "the store has 1 jobs instead of 40",
            "job is succeeded",
            "job attempts ended as succeeded",
            "the plan is not there");
    assertThat(report.json().get("asAnnounced").booleanValue()).isFalse();
    assertThat(report.json().get("plan").isNull()).isTrue();
    assertThat(report.json().get("problems")).hasSize(4);
  }

  private static String plan(CliHarness.Ran ran) {
    return found("handoff plan show (\\w+) --data", ran);
  }

  private static String head(CliHarness.Ran ran) {
    return found("head (\\w+)", ran);
  }

  private static String found(String pattern, CliHarness.Ran ran) {
    var matcher = Pattern.compile(pattern).matcher(ran.out());
    assertThat(matcher.find()).as(ran.out()).isTrue();
    return matcher.group(1);
  }

  private static DemoRole role(JobStatus status, JobInfo.AttemptOutcome... attempts) {
    return DemoRole.of("it", "as it should", List.of("job"), status, attempts);
  }

  private JobInfo ended(JobRequest request) {
    var builder = Handoff.builder().directory(dir.resolve("small"));
    try (var handoff = BuiltInHandlers.with(HandlerSettings.SAFE).addTo(builder).start()) {
      return handoff.submitOrThrow(request).ended().toCompletableFuture().join();
    }
  }

  private static boolean complains(ProgramProcess demo, String words) {
    try {
      return demo.complained().contains(words);
    } catch (IOException unread) {
      return false;
    }
  }

  private static boolean says(ProgramProcess demo) {
    try {
      return demo.said().contains("Twelve thumbnails");
    } catch (IOException unread) {
      return false;
    }
  }
}
