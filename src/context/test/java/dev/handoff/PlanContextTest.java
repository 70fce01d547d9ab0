package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Assembled;
import dev.handoff.context.Assembled.Report.StrategyReport;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.PlanDecisions;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.TestPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The context of a step")
class PlanContextTest {

  private static final String NAME = "plan-decision-context";

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  @TempDir Path root;

  private final HeldHandler held = new HeldHandler();
  private Handoff handoff;

  @BeforeEach
  void start() throws IOException {
    Files.writeString(root.resolve("till.md"), "# Tills\n\nA till is painted by hand.\n");
    handoff =
        Handoff.on(actors.system())
            .store(new StoreSettings.Memory())
            .shutdownGrace(Duration.ZERO)
            .cancelling(Duration.ofMillis(10), Duration.ofSeconds(10))
            .handler("held", Json.class, held)
            .handler(
                "decide",
                String.class,
                (text, job) -> {
                  job.decide(text);
                  if (job.attempt() == 1 && text.startsWith("after a failure")) {
                    throw new IOException("told to");
                  }
                  return null;
                })
            .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
  }

  private PlanSteps steps() {
    return new PlanSteps(handoff);
  }

  private record PlanSteps(Handoff handoff) {
    dev.handoff.internal.plan.PlanDraft.Step decide(String name, String text, String... after) {
      return TestPlan.step(handoff, name, JobRequest.of("decide", text), after);
    }

    dev.handoff.internal.plan.PlanDraft.Step held(String name, String... after) {
      return TestPlan.step(handoff, name, JobRequest.of("held"), after);
    }
  }

  private Assembled context(HeldHandler.Attempt attempt, ContextRequest request) {
    return BoundedWaits.get(attempt.job().context(request)).orThrow();
  }

  private ContextRequest request() {
    return ContextRequest.of("how are tills painted", root).require(ContextRequest.Backend.FILES);
  }

  @Test
  void hasWhatTheStepsBeforeItHaveDecided() {
    TestPlan.submit(
        handoff,
        steps().decide("colour", "after a failure: all tills are painted green, twice"),
        TestPlan.child(
            "in", List.of("colour"), steps().decide("brush", "only soft brushes are used")),
        steps().decide("beside", "nobody paints tills before noon on any day"),
        steps().held("paint", "in"));

    var context = context(held.next(), request().require(ContextRequest.Backend.PLAN));

    assertThat(context.text())
        .contains("all tills are painted green, twice", "only soft brushes are used", "by hand")
        .doesNotContain("before noon")
        .containsOnlyOnce("after a failure");
    assertThat(context.report().strategies())
        .filteredOn(one -> one.name().equals(NAME))
        .first()
        .satisfies(one -> assertThat(one.fragments()).isEqualTo(2));
  }

  @Test
  void isForAPlanAlsoBeforeAnythingIsDecided() {
    TestPlan.submit(handoff, steps().held("paint"));

    var context = context(held.next(), request().require(ContextRequest.Backend.PLAN));

    assertThat(context.text()).contains("by hand");
    assertThat(detail(context)).isEqualTo("it expects nothing of this request");
    assertThat(context.report().isComplete()).isTrue();
  }

  @Test
  void takesDecisionsThatAreHandedOver() {
    TestPlan.submit(handoff, steps().held("paint"));
    var own =
        new PlanDecisions(
            List.of(
                new PlanDecisions.Decision(
                    "mine", 1, "tills are painted in my own colour", java.time.Instant.EPOCH)));

    assertThat(context(held.next(), request().plan(own)).text()).contains("in my own colour");
  }

  @Test
  void ofAJobOutsideOfAPlanHasNoDecisions() {
    handoff.submitOrThrow(JobRequest.of("held"));
    var attempt = held.next();

    assertThat(detail(context(attempt, request()))).isEqualTo("it needs PLAN, which is not there");
    assertThat(
            BoundedWaits.get(attempt.job().context(request().require(ContextRequest.Backend.PLAN))))
        .isInstanceOf(ContextAnswer.Invalid.class);
  }

  private static String detail(Assembled context) {
    return context.report().strategies().stream()
        .filter(one -> one.name().equals(NAME))
        .map(StrategyReport::detail)
        .findFirst()
        .orElseThrow();
  }
}
