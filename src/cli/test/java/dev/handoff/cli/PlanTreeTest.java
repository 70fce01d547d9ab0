package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanRequest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The tree of a plan")
class PlanTreeTest {

  @TempDir Path dir;

  /// Cancelled plan of six steps, two of them in a child plan; one step has succeeded.
  private PlanInfo cancelled() {
    try (var handoff =
        Handoff.builder()
            .directory(dir)
            .handler("noop", Object.class, (payload, job) -> null)
            .handler(
                "stop",
                Object.class,
                (payload, job) -> {
                  throw new IllegalStateException("no");
                })
            .start()) {
      var child =
          PlanRequest.of("child")
              .step("a", JobRequest.of("noop", 1))
              .step("b", JobRequest.of("noop", 1));
      var request =
          PlanRequest.of("p")
              .step("first", JobRequest.of("noop", 1))
              .step("second", JobRequest.of("stop", 1).maxAttempts(1), PlanRequest.after("first"))
              .plan("child", child, PlanRequest.after("second"))
              .step("c", JobRequest.of("noop", 1), PlanRequest.after("second"))
              .step("d", JobRequest.of("noop", 1), PlanRequest.after("second"));
      return handoff.plans().submitOrThrow(request).ended().toCompletableFuture().join();
    }
  }

  private static Screen screen(int height) {
    return new Screen(
        new PrintStream(new ByteArrayOutputStream()),
        new TerminalSetup.Size(() -> 100, () -> height));
  }

  @Test
  void countsOnlyWhatWasDoneAndTheSameStepsEverywhere() {
    var plan = cancelled();

    var whole = PlanTree.of(plan, screen(24), Duration.ofSeconds(1));
    var cut = PlanTree.of(plan, screen(6), Duration.ofSeconds(1));

    assertThat(StepCounts.of(plan)).isEqualTo(new StepCounts(6, 1, 1, 4, 0, 0));
    assertThat(whole).hasSize(8).last().asString().contains("33 %  2/6");
    assertThat(cut).anySatisfy(line -> assertThat(line).contains("of 6 steps 1 have succeeded"));
    assertThat(IntStream.range(5, 30))
        .allSatisfy(
            height ->
                assertThat(PlanTree.of(plan, screen(height), Duration.ZERO))
                    .hasSizeLessThan(height));
  }
}
