package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.TestPlan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("exec in a working copy")
@DisabledOnOs(OS.WINDOWS)
class ExecCaptureTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  @TempDir Path source;

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private Handoff handoff;

  @BeforeEach
  void start() throws Exception {
    Files.createDirectories(source.resolve("sub"));
    Files.writeString(source.resolve("a.txt"), "a\n");
    handoff =
        BuiltInHandlers.with(BuiltInHandlers.Settings.SAFE.withExec())
            .addTo(Handoff.on(actors.system()).store(home.store()))
            .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private JobRequest sh(String script, Map<String, ?> more) {
    Map<String, Object> payload = new HashMap<>(Map.of("argv", List.of("sh", "-c", script)));
    payload.putAll(more);
    return JobRequest.of("exec", payload).maxAttempts(1);
  }

  private Map<String, Object> captured() {
    return Map.of("capture", Map.of("directory", source.toString()));
  }

  @Test
  void leavesItsChangesInThePlanAndTheDirectoryAsItWas() throws Exception {
    var inSub = new HashMap<>(captured());
    inSub.put("dir", "sub");
    var plan =
        TestPlan.submit(
            handoff,
            TestPlan.step(
                handoff, "one", sh("echo b >> a.txt; echo $HANDOFF_PLAN > id.txt", captured())),
            TestPlan.step(
                handoff,
                "two",
                sh("cat ../a.txt > $HANDOFF_STEP.txt; rm ../id.txt", inSub),
                "one"));

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.SUCCEEDED);

    assertThat(plan.changes())
        .containsExactly(
            "a.txt: a\n -> a\nb\n",
            "id.txt: none -> " + plan.id() + "\n",
            "id.txt: " + plan.id() + "\n -> none",
            "sub/two.txt: none -> a\nb\n");
    assertThat(source.resolve("a.txt")).hasContent("a\n");
    assertThat(source.resolve("id.txt")).doesNotExist();
    var phase = (JobPhase.Succeeded) plan.job("one").phase();
    assertThat(new String(phase.result().utf8(), StandardCharsets.UTF_8)).contains("\"changes\":2");
    assertThat(home.directory().resolve("working-copies")).isEmptyDirectory();
  }

  @Test
  void leavesNothingIfItFails() {
    var plan =
        TestPlan.submit(
            handoff, TestPlan.step(handoff, "one", sh("echo b > a.txt; exit 3", captured())));

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.FAILED);
    assertThat(plan.chain()).isEmpty();
    assertThat(home.directory().resolve("working-copies")).isEmptyDirectory();
  }

  @Test
  void ofNothingStartsInAnEmptyDirectory() {
    var empty = new HashMap<String, Object>();
    var capture = new HashMap<String, Object>();
    capture.put("directory", null);
    empty.put("capture", capture);
    var plan = TestPlan.submit(handoff, TestPlan.step(handoff, "one", sh("ls > all.txt", empty)));

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.SUCCEEDED);
    assertThat(plan.changes()).containsExactly("all.txt: none -> all.txt\n");
  }

  @Test
  void needsAPlan() {
    var job = FakeJob.first();
    var command =
        new ExecHandler.Command(
            List.of("true"), null, null, null, new ExecHandler.CaptureOf(source.toString(), true));

    assertThatThrownBy(() -> new ExecHandler(1, Duration.ofSeconds(1)).handle(command, job))
        .isInstanceOf(HandlerFailedException.class)
        .hasMessageContaining("capture needs a plan");
    assertThat(command.capture().wanted().isKept()).isTrue();
  }

  @Test
  void isOfADirectoryWithAName() {
    for (var directory : List.of("", "nul\0")) {
      var capture = new ExecHandler.CaptureOf(directory, false);
      var command = new ExecHandler.Command(List.of("true"), null, null, null, capture);

      assertThatThrownBy(() -> new ExecHandler(1, Duration.ofSeconds(1)).check(command))
          .isInstanceOf(HandlerFailedException.class)
          .hasMessageContaining("cannot be the name of a directory");
    }
  }

  @Test
  void staysInIt() {
    for (var dir : List.of("/tmp", "..", "a/../../b", "nul\0")) {
      var command =
          new ExecHandler.Command(
              List.of("true"), dir, null, null, new ExecHandler.CaptureOf(null, false));

      assertThatThrownBy(() -> new ExecHandler(1, Duration.ofSeconds(1)).check(command))
          .isInstanceOf(HandlerFailedException.class)
          .hasMessageContaining("leads out of the working copy");
    }
  }
}
