package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.child;
import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.text.DurationWords;
import dev.handoff.internal.text.LocatedProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A plan that is submitted")
class PlanRulesTest {

  private static List<String> problems(PlanDraft draft) {
    return LocatedProblem.messages(PlanRules.problems(draft));
  }

  private static PlanDraft wide(int steps) {
    var all = new ArrayList<PlanDraft.Step>();
    for (int i = 0; i < steps; i++) {
      all.add(step("s" + i));
    }
    return new PlanDraft("wide", 5, false, null, all);
  }

  private static PlanDraft deep(int levels) {
    var plan = draft(step("bottom"));
    for (int level = 1; level < levels; level++) {
      plan = draft(child("down", plan));
    }
    return plan;
  }

  @Test
  void isAcceptedIfNothingIsWrongWithIt() {
    assertThat(problems(draft(step("a"), step("b", "a"), child("c", draft(step("a")), "a", "b"))))
        .isEmpty();
  }

  @Test
  void isRefusedWithTheWayOfItsCycle() {
    assertThat(problems(draft(step("a", "c"), step("b", "a"), step("c", "b"), step("d", "c"))))
        .containsExactly("plan: its steps wait for each other: a → b → c → a");
    assertThat(problems(draft(step("a", "a"))))
        .containsExactly("plan: its steps wait for each other: a → a");
    assertThat(problems(draft(child("x", draft(step("a", "b"), step("b", "a"))))))
        .singleElement()
        .asString()
        .startsWith("step x: its steps wait for each other: ");
  }

  @Test
  void isToldAllProblemsOfItsOrder() {
    assertThat(problems(draft(step("a", "x"), step("a", "y"), step("b c", "z"), step("d", "b c"))))
        .containsExactlyInAnyOrder(
            "plan: step \"a\" is there twice",
            "plan: step \"b c\" is not a name: 1 to 128 letters, digits and . _ : -, the first a"
                + " letter or digit",
            "step a: it is after \"x\", and there is no such step",
            "step a: it is after \"y\", and there is no such step",
            "step b c: it is after \"z\", and there is no such step");
    assertThat(problems(draft(step("a", "b"), step("b", "a", "x"))))
        .containsExactly(
            "step b: it is after \"x\", and there is no such step",
            "plan: its steps wait for each other: a → b → a");
    assertThat(problems(draft(step("a"), step("b", "a"), step("a", "b"))))
        .containsExactly("plan: step \"a\" is there twice");
  }

  @Test
  void mayHaveManyWaysFromOneStepToAnother() {
    assertThat(problems(draft(step("a"), step("b", "a"), step("c", "a"), step("d", "b", "c", "a"))))
        .isEmpty();
  }

  @Test
  void mayBeOneLongChainInAnyOrder() {
    var steps = new ArrayList<PlanDraft.Step>();
    for (int i = 0; i < PlanRules.MOST_STEPS; i++) {
      steps.add(i == 9_999 ? step("s" + i) : step("s" + i, "s" + (i + 1)));
    }

    assertThat(problems(new PlanDraft("long", 5, false, null, steps))).isEmpty();
    steps.set(9_999, step("s9999", "s0"));
    assertThat(problems(new PlanDraft("long", 5, false, null, steps)))
        .singleElement()
        .asString()
        .startsWith("plan: its steps wait for each other: s");
  }

  @Test
  void isRefusedWithAStepThatThereIsNot() {
    assertThat(problems(draft(step("a", "nobody"), child("c", draft(step("x", "a"))))))
        .containsExactlyInAnyOrder(
            "step a: it is after \"nobody\", and there is no such step",
            "step c/x: it is after \"a\", and there is no such step");
  }

  @Test
  void isRefusedWithNamesThatAreNone() {
    assertThat(problems(draft(step("a b"), step("a"), step("a"))))
        .hasSize(2)
        .anyMatch(problem -> problem.contains("a b"))
        .anyMatch(problem -> problem.equals("plan: step \"a\" is there twice"));
    assertThat(problems(new PlanDraft("my plan", 5, false, null, List.of(step("a")))))
        .singleElement()
        .asString()
        .contains("my plan");
  }

  @Test
  void hasSteps() {
    assertThat(problems(draft())).containsExactly("plan: it has no steps");
    assertThat(problems(draft(child("c", draft())))).containsExactly("step c: it has no steps");
  }

  @Test
  void hasStepsThatAreEitherJobsOrPlans() {
    var neither = new PlanDraft.Step("x", List.of(), null, null);
    var both = new PlanDraft.Step("y", List.of(), PlanSamples.job(1), draft(step("a")));

    assertThat(problems(draft(neither, both)))
        .containsExactly(
            "step x: a step is either a job or a plan", "step y: a step is either a job or a plan");
  }

  @Test
  void mayHaveTenThousandStepsAndNotOneMore() {
    assertThat(problems(wide(10_000))).isEmpty();
    assertThat(problems(wide(10_001)))
        .containsExactly("plan: it has 10,001 steps, a plan has at most 10,000");
    var nested = draft(child("left", wide(5_000)), child("right", wide(4_999)));
    assertThat(problems(nested)).singleElement().asString().contains("10,001");
  }

  @Test
  void mayHaveAHundredLevelsAndNotOneMore() {
    assertThat(problems(deep(100))).isEmpty();
    assertThat(problems(deep(101)))
        .singleElement()
        .asString()
        .endsWith("plans are at most 100 levels deep");
  }

  @Test
  void runsOneToFiftyStepsAtATime() {
    for (int wrong : List.of(0, -1, 51, Integer.MAX_VALUE)) {
      assertThat(problems(draft(wrong, false, step("a"))))
          .containsExactly("plan: maxParallel must be 1 to 50, was " + wrong);
    }
    assertThat(problems(draft(1, false, step("a")))).isEmpty();
    assertThat(problems(draft(50, false, step("a")))).isEmpty();
  }

  @Test
  void hasADeadlineThatIsATime() {
    for (var wrong :
        List.of(Duration.ZERO, Duration.ofSeconds(-1), PlanRules.LONGEST.plusMillis(1))) {
      assertThat(problems(PlanSamples.withDeadline(draft(step("a")), wrong)))
          .singleElement()
          .asString()
          .startsWith("plan: deadline must be more than 0s and at most 200d, was ")
          .endsWith("was " + DurationWords.exact(wrong));
    }
    assertThat(problems(PlanSamples.withDeadline(draft(step("a")), PlanRules.LONGEST))).isEmpty();
  }

  @Test
  void isToldEverythingThatIsWrongWithItButNotWithoutEnd() {
    var steps = new ArrayList<PlanDraft.Step>();
    for (int i = 0; i < 100; i++) {
      steps.add(step("s" + i, "nobody"));
    }

    assertThat(problems(new PlanDraft("wrong", 0, false, null, steps))).hasSize(20);
  }

  private static PlanDraft circle(int steps) {
    var all = new ArrayList<PlanDraft.Step>();
    for (int i = 0; i < steps; i++) {
      all.add(step("s" + i, "s" + (i + 1) % steps));
    }
    return new PlanDraft("round", 5, false, null, all);
  }

  @Test
  void isRefusedWithBothEndsOfALongCycle() {
    assertThat(problems(circle(19)))
        .singleElement()
        .asString()
        .startsWith("plan: its steps wait for each other: s0 → s18 → s17 → s16")
        .endsWith("s2 → s1 → s0")
        .doesNotContain("more");
    assertThat(problems(circle(20)))
        .containsExactly(
            "plan: its steps wait for each other: "
                + "s0 → s19 → s18 → s17 → s16 → s15 → s14 → s13 → s12 → s11 → … 1 more … → "
                + "s9 → s8 → s7 → s6 → s5 → s4 → s3 → s2 → s1 → s0");
  }

  /// Plan with ten thousand steps of 569 bytes each, 3435 dependencies, and this number of longer
  /// names.
  private static PlanDraft large(int longer) {
    var steps = new ArrayList<PlanDraft.Step>();
    for (int number = 0; number < PlanRules.MOST_STEPS; number++) {
      var name = "s%05d-%s".formatted(number, "x".repeat(23));
      if (number >= 9_000 && number < 9_000 + longer) {
        name += "y";
      }
      steps.add(number > 0 && number <= 3_435 ? step(name, steps.getFirst().name()) : step(name));
    }
    return new PlanDraft("site", 5, false, null, steps);
  }

  @Test
  void isAsLargeAsItsStateMayBe() {
    assertThat(problems(large(16))).isEmpty();
    assertThat(problems(large(17))).singleElement().asString().contains("about 5,800,005 bytes");
  }

  @Test
  void isToldWhereItsChildrenAreWrong() {
    var child = new PlanDraft("c", 0, false, null, List.of(step("a b")));

    assertThat(problems(draft(child("left", draft(child("right", child))))))
        .hasSize(2)
        .allMatch(problem -> problem.startsWith("step left/right: "));
  }
}
