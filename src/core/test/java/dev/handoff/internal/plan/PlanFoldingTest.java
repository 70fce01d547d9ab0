package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.BODY;
import static dev.handoff.internal.plan.PlanSamples.ID;
import static dev.handoff.internal.plan.PlanSamples.NOW;
import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.StepContribution;
import dev.handoff.internal.ledger.LiveStates;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A fact of a step or a plan")
class PlanFoldingTest {

  private final LiveStates live = new LiveStates();
  private final PlanBirth birth =
      PlanBirth.of(
          ID, draft(step("a"), PlanSamples.child("c", draft(step("x")), "a")), NOW, new Random(2));

  PlanFoldingTest() {
    for (var fact : birth.facts(PlanSamples.CODEC)) {
      if (fact.event() instanceof PlanFact.Submitted submitted) {
        PlanFolding.fold(live, fact.entity(), submitted);
      }
    }
  }

  private PlanState root() {
    return (PlanState) live.get(ID.value());
  }

  private PlanId childId() {
    return root().specOf("c").orElseThrow().plan();
  }

  private PlanState childPlan() {
    return (PlanState) live.get(childId().value());
  }

  private PlanInfo.StepStatus status(String step) {
    return root().steps().find(step).orElseThrow().status();
  }

  private static JobState job(JobId id, String plan, String step) {
    var spec = PlanSamples.job(1).stepOf(plan, step);
    return JobState.create(id, new JobFact.Submitted(spec, NOW, true));
  }

  private JobState a() {
    return job(root().specOf("a").orElseThrow().job(), ID.value(), "a");
  }

  private static JobFact succeeded(StepContribution made) {
    return new JobFact.Succeeded(2, Json.NULL, AttemptNotes.NONE, NOW, made);
  }

  @Test
  void beginsAPlanWithItsStepsBehindIt() {
    var facts = birth.facts(PlanSamples.CODEC);
    assertThat(facts)
        .extracting(fact -> fact.event().getClass().getSimpleName())
        .containsExactly("Submitted", "Submitted", "Submitted", "Submitted");
    assertThat(facts.getFirst().entity()).isEqualTo(ID.value());
    assertThat(facts.getFirst().event()).isEqualTo(birth.own());
    assertThat(facts.get(2).entity()).isEqualTo(childId().value());
    assertThat(root().status()).isEqualTo(PlanStatus.RUNNING);
    assertThat(childPlan().status()).isEqualTo(PlanStatus.WAITING);
    assertThat(childPlan().spec().origin()).isEqualTo(new PlanSpec.Origin(ID, "c", ID, "c"));
    assertThat(root().spec().steps().getFirst().id()).isInstanceOf(JobId.class);
    assertThat(root().spec().steps().getLast().id()).isEqualTo(childId());
    assertThat(root().spec().isRoot()).isTrue();
    assertThat(childPlan().spec().isRoot()).isFalse();
    assertThat(root().spec().path("a")).isEqualTo("a");
    assertThat(childPlan().spec().path("x")).isEqualTo("c/x");
  }

  @Test
  void movesTheStepOfItsPlan() {
    var error =
        new JobFact.AttemptEnd(
            1, EndCause.FAILED, JobError.of("x", "no paper"), false, false, AttemptNotes.NONE, NOW);
    var request = new JobPhase.CancelRequest("enough", "ann", NOW);

    assertThat(PlanFolding.foldStep(live, a(), new JobFact.Released(NOW))).containsExactly(root());
    assertThat(status("a")).isEqualTo(PlanInfo.StepStatus.RELEASED);
    PlanFolding.foldStep(live, a(), new JobFact.Failed(error));
    assertThat(root().steps().find("a").orElseThrow())
        .isEqualTo(new StepState("a", PlanInfo.StepStatus.FAILED, "no paper", false));
    PlanFolding.foldStep(live, a(), new JobFact.Reopened(a(), "ann", NOW));
    assertThat(status("a")).isEqualTo(PlanInfo.StepStatus.RELEASED);
    PlanFolding.foldStep(
        live, a(), new JobFact.Cancelled(request, false, false, List.of(), AttemptNotes.NONE, NOW));
    assertThat(root().steps().find("a").orElseThrow().reason()).isEqualTo("enough");
    assertThat(status("a")).isEqualTo(PlanInfo.StepStatus.CANCELLED);
    assertThat(PlanFolding.foldStep(live, a(), new JobFact.Started(1, NOW))).isEmpty();
  }

  @Test
  void isNothingToPlansIfItsJobIsNoStep() {
    var alone =
        JobState.create(
            new JobId(PlanSamples.newId()), new JobFact.Submitted(PlanSamples.job(1), NOW, false));

    assertThat(PlanFolding.foldStep(live, alone, new JobFact.Released(NOW))).isEmpty();
    assertThat(
            PlanFolding.foldStep(
                live,
                job(alone.id(), PlanSamples.newId(), "a"),
                succeeded(new StepContribution(BODY, 1, 0))))
        .isEmpty();
  }

  @Test
  void commitsTheChangesOfAStep() {
    var states = PlanFolding.foldStep(live, a(), succeeded(new StepContribution(BODY, 2, 1)));

    assertThat(states).hasSize(2).last().isEqualTo(root());
    assertThat(status("a")).isEqualTo(PlanInfo.StepStatus.SUCCEEDED);
    assertThat(root().book().chain())
        .singleElement()
        .satisfies(
            link -> {
              assertThat(link.id()).isEqualTo(a().id() + ":2");
              assertThat(link.by()).isEqualTo(ChangesetAuthor.attempt(a().id(), 2, "a"));
              assertThat(link.changes()).isEqualTo(2);
              assertThat(link.decisions()).isEqualTo(1);
            });
    assertThat(PlanFolding.foldStep(live, a(), succeeded(null))).hasSize(1);
    assertThat(root().book().chain()).hasSize(1);
  }

  @Test
  void commitsTheChangesOfAChildsStepToTheRoot() {
    var x = childPlan().specOf("x").orElseThrow().job();
    var states =
        PlanFolding.foldStep(
            live, job(x, childId().value(), "x"), succeeded(new StepContribution(BODY, 2, 1)));

    assertThat(states).containsExactly(root(), childPlan());
    assertThat(childPlan().book().chain()).isEmpty();
    assertThat(root().book().chain())
        .singleElement()
        .satisfies(link -> assertThat(link.by().step()).isEqualTo("c/x"));
    assertThat(childPlan().steps().count(PlanInfo.StepStatus.SUCCEEDED)).isEqualTo(1);
  }

  private List<?> child(PlanFact fact) {
    return PlanFolding.fold(live, childId().value(), fact);
  }

  @Test
  void movesTheParentOfAPlan() {
    assertThat(child(new PlanFact.Released(NOW))).isEqualTo(List.of(childPlan(), root()));
    assertThat(status("c")).isEqualTo(PlanInfo.StepStatus.RELEASED);
    assertThat(child(new PlanFact.Resolved(PlanSamples.resolution("a")))).hasSize(1);
    var ended = childPlan();
    child(new PlanFact.Ended(new PlanPhase.Failed("no paper", NOW)));
    assertThat(root().steps().find("c").orElseThrow())
        .isEqualTo(new StepState("c", PlanInfo.StepStatus.FAILED, "no paper", false));
    assertThat(childPlan()).isNull();

    child(new PlanFact.Reopened(ended, "ann", NOW));
    assertThat(status("c")).isEqualTo(PlanInfo.StepStatus.RELEASED);
    child(new PlanFact.Ended(new PlanPhase.Cancelled("enough", "ann", NOW)));
    assertThat(root().steps().find("c").orElseThrow())
        .isEqualTo(new StepState("c", PlanInfo.StepStatus.CANCELLED, "enough", false));
    child(new PlanFact.Reopened(ended, "ann", NOW));
    child(new PlanFact.Ended(new PlanPhase.Succeeded(NOW)));
    assertThat(root().steps().find("c").orElseThrow())
        .isEqualTo(new StepState("c", PlanInfo.StepStatus.SUCCEEDED, null, false));
  }

  @Test
  void isNothingIfItsPlanIsNotThere() {
    var unknown = PlanSamples.newId();

    assertThat(PlanFolding.fold(live, unknown, new PlanFact.Released(NOW))).isEmpty();
    var again = PlanSamples.situations().get("succeeded");
    assertThat(PlanFolding.fold(live, again.id().value(), new PlanFact.Recalled(again)))
        .singleElement()
        .satisfies(state -> assertThat(((PlanState) state).recalled()).isTrue());
  }

  @Test
  void movesNoPlanThatIsOver() {
    PlanFolding.fold(
        live, ID.value(), new PlanFact.Recalled(PlanSamples.situations().get("succeeded")));

    assertThat(PlanFolding.foldStep(live, a(), new JobFact.Released(NOW))).isEmpty();
  }

  @Test
  void isFoldedIntoAStateThatTellsWhatItIs() {
    var all = PlanSamples.situations();
    assertThat(all.get("succeeded").ended()).isTrue();
    assertThat(all.get("succeeded").isOver()).isTrue();
    assertThat(all.get("succeeded").endedAt()).contains(NOW);
    assertThat(all.get("succeeded, being applied").ended()).isFalse();
    assertThat(all.get("succeeded, being applied").isOver()).isTrue();
    assertThat(all.get("succeeded, being applied").asEnded().ended()).isTrue();
    assertThat(all.get("running").ended()).isFalse();
    assertThat(all.get("running").endedAt()).isEmpty();
    assertThat(all.get("running").isStopping()).isFalse();
    assertThat(all.get("a step has failed").isStopping()).isFalse();
    assertThat(all.get("a step has failed").status()).isEqualTo(PlanStatus.FAILING);
    assertThat(all.get("a step has failed, fails fast").isStopping()).isTrue();
    assertThat(all.get("cancelling").isStopping()).isTrue();
    assertThat(all.get("cancelling").status()).isEqualTo(PlanStatus.CANCELLING);
    assertThat(all.get("given up").status()).isEqualTo(PlanStatus.FAILING);
    assertThat(all.get("a child that waits").status()).isEqualTo(PlanStatus.WAITING);
    long version = all.get("running").version();
    assertThat(all.get("running").apply(new PlanFact.Released(NOW)).version())
        .isEqualTo(version + 1);
    assertThat(all.get("running").apply(new PlanFact.ApplyUndone(1, "no", NOW)).version())
        .isEqualTo(version + 1);
    assertThat(all.get("running").apply(new PlanFact.Filed()).version()).isEqualTo(version + 1);
    assertThat(all.get("running").stepMoved("a", PlanInfo.StepStatus.RELEASED, null).version())
        .isEqualTo(version + 1);
    var reopened = new PlanFact.Reopened(all.get("failed"), "ann", NOW);
    assertThat(all.get("failed").apply(reopened).version())
        .isEqualTo(all.get("failed").version() + 1);
  }
}
