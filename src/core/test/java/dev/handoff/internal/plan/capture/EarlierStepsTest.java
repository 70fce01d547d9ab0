package dev.handoff.internal.plan.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.plan.PlanId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The steps before one")
class EarlierStepsTest {

  private static final JobId JOB = new JobId("01M7QA29F8201SE11P2AY4J500");
  private static final PlanId ROOT = new PlanId("01M7QA29F8201SE11P2AY4J600");

  /// a ─▶ b ─▶ child(x ─▶ y) ─▶ d, and an independent e
  private final PlanSpec root =
      plan(null, step("a"), step("b", "a"), step("child", "b"), step("d", "child"), step("e"));

  private final PlanSpec child =
      plan(new PlanSpec.Origin(ROOT, "child", ROOT, "child"), step("x"), step("y", "x"));

  private static PlanSpec plan(PlanSpec.Origin origin, PlanSpec.Step... steps) {
    return new PlanSpec("plan", 5, false, null, List.of(steps), origin);
  }

  private static PlanSpec.Step step(String name, String... after) {
    return new PlanSpec.Step(name, List.of(after), JOB, null, "type");
  }

  private static Changeset by(String step) {
    return Changeset.after(
        ChainHash.NONE,
        step,
        step,
        ChangesetAuthor.attempt(JOB, 1, step),
        Instant.EPOCH,
        1,
        0,
        ChainHash.NONE);
  }

  @Test
  void areNearTheMoreDirectlyTheyAreBefore() {
    var earlier = EarlierSteps.of(List.of(new EarlierSteps.Place(root, "d")));

    assertThat(earlier.distances())
        .containsOnly(
            java.util.Map.entry("child", 1),
            java.util.Map.entry("b", 2),
            java.util.Map.entry("a", 3));
    assertThat(earlier.distance("child/y")).hasValue(1);
    assertThat(earlier.distance("e")).isEmpty();
    assertThat(earlier.distance("childish")).isEmpty();
  }

  @Test
  void areThoseBeforeItsPlanToo() {
    var earlier =
        EarlierSteps.of(
            List.of(new EarlierSteps.Place(child, "y"), new EarlierSteps.Place(root, "child")));

    assertThat(earlier.distance("child/x")).hasValue(1);
    assertThat(earlier.distance("b")).hasValue(2);
    assertThat(earlier.distance("a")).hasValue(3);
    assertThat(earlier.distance("child/y")).isEmpty();
    assertThat(earlier.distance("d")).isEmpty();
  }

  @Test
  void haveTheirChangesetsInOrder() {
    var earlier = EarlierSteps.of(List.of(new EarlierSteps.Place(root, "d")));
    var callers =
        Changeset.after(
            ChainHash.NONE,
            "c1",
            "",
            ChangesetAuthor.caller("me"),
            Instant.EPOCH,
            1,
            0,
            ChainHash.NONE);

    assertThat(earlier.sets(List.of(by("child/y"), by("e"), callers, by("a"), by("d"))))
        .extracting(Changeset::id)
        .containsExactly("child/y", "a");
  }
}
