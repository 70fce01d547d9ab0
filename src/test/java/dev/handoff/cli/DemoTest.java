package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.handlers.HandlerSettings;
import dev.handoff.job.EndCause;
import dev.handoff.job.JobStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The demo")
class DemoTest {

  @TempDir Path dir;

  @Test
  void comesOutAsItAnnounces() {
    var store = dir.resolve("store");

    var ran = Cli.inTerminal("demo", "--data", store.toString());

    assertThat(ran.exitCode()).as(ran.out()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .contains(
            "of 30 jobs over",
            "printed by priority: 6 5 4 3 2 1",
            "All 30 jobs came out as announced")
        .contains("12 of 12 succeeded", "2 of 2 failed", "3 each", "none", "1 each")
        .doesNotContain("not as announced");
    assertThat(Cli.run("list", "--data", store.toString(), "--status", "cancelled").out().lines())
        .hasSize(3);
    assertThat(Cli.run("demo", "--data", store.toString()).exitCode()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void canBeLeft() throws Exception {
    var demo = Child.start(dir);
    Child.await(() -> says(demo));

    demo.signal("INT");

    assertThat(demo.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(demo.complained()).contains("left by SIGINT");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void answersInJsonWithoutItsNameToo() throws Exception {
    var demo = Child.start(dir, "--json");
    Child.await(() -> complains(demo, "Twelve thumbnails"));

    demo.signal("INT");

    assertThat(demo.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(demo.said()).isEmpty();
    assertThat(demo.complained()).endsWith("{\"error\":\"left by SIGINT\",\"exitCode\":130}\n");
  }

  @Test
  void noticesWhatIsNotAsItWasAnnounced() {
    var failed = ended(JobRequest.of("fail").maxAttempts(1));
    var succeeded = ended(JobRequest.of("noop"));

    assertThat(role(JobStatus.FAILED, EndCause.FAILED).differences(failed)).isEmpty();
    assertThat(role(JobStatus.FAILED, EndCause.FAILED).differences(null))
        .containsExactly("is not there");
    assertThat(role(JobStatus.SUCCEEDED, (EndCause) null).differences(failed))
        .containsExactly("is failed", "attempts ended as failed");
    assertThat(role(JobStatus.SUCCEEDED, EndCause.FAILED, null).differences(succeeded))
        .containsExactly("attempts ended as succeeded");
    assertThat(role(JobStatus.CANCELLED).differences(succeeded)).contains("is succeeded");
    assertThat(DemoRole.words(List.of())).isEqualTo("never ran");
  }

  @Test
  void saysSoAndHasAnotherExitCodeThen() {
    var succeeded = ended(JobRequest.of("noop"));
    var roles = List.of(role(JobStatus.FAILED, EndCause.FAILED));
    var report =
        new DemoReport(
            roles, Map.of("job", succeeded), List.of("job is succeeded"), Duration.ofSeconds(1));
    var out = new java.io.ByteArrayOutputStream();

    report.print(new Screen(new java.io.PrintStream(out, true), Terminals.NONE));

    assertThat(out.toString())
        .contains("0 of 1 failed", "NO", "not as announced: job is succeeded");
    assertThat(report.json().get("asAnnounced").booleanValue()).isFalse();
    assertThat(report.json().get("problems")).hasSize(1);
  }

  private static DemoRole role(JobStatus status, EndCause... attempts) {
    return DemoRole.of("it", "as it should", List.of("job"), status, attempts);
  }

  private JobInfo ended(JobRequest request) {
    var builder = Handoff.builder().directory(dir.resolve("small"));
    try (var handoff = BuiltInHandlers.with(HandlerSettings.SAFE).addTo(builder).start()) {
      return handoff.submitOrThrow(request).ended().toCompletableFuture().join();
    }
  }

  private static boolean complains(Child demo, String words) {
    try {
      return demo.complained().contains(words);
    } catch (IOException unread) {
      return false;
    }
  }

  private static boolean says(Child demo) {
    try {
      return demo.said().contains("Twelve thumbnails");
    } catch (IOException unread) {
      return false;
    }
  }
}
