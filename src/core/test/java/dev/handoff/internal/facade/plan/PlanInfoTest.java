package dev.handoff.internal.facade.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.facade.JobView;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.plan.PlanFact;
import dev.handoff.internal.plan.PlanPhase;
import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.plan.ChangesetInfo;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.JacksonMappers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("What is known of a plan")
class PlanInfoTest {

  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final PlanId ID = new PlanId("01M7QA29F8201SE11P2AY4J500");
  private static final PlanId PARENT = new PlanId("01M7QA29F8201SE11P2AY4J501");
  private static final JobId JOB = new JobId("01M7QA29F8201SE11P2AY4J502");

  private static final PlanSpec SPEC =
      new PlanSpec(
          "site",
          3,
          true,
          Duration.ofMinutes(90),
          List.of(
              new PlanSpec.Step("build", List.of(), JOB, null, "exec"),
              new PlanSpec.Step("test", List.of("build"), JOB, null, "exec")),
          new PlanSpec.Origin(PARENT, "look", PARENT, "look"));

  private static PlanState running() {
    return PlanState.create(ID, new PlanFact.Submitted(SPEC, NOW, false))
        .stepMoved("build", PlanInfo.StepStatus.RELEASED, null)
        .committed("s1", ChangesetAuthor.attempt(JOB, 2, "look/build"), NOW, 4, 1, "body")
        .apply(new PlanFact.ChangesetStarted("c1", "by hand", "anna", NOW))
        .apply(new PlanFact.ChangesetStarted("c2", "more", "anna", NOW))
        .apply(new PlanFact.ChangesetClosed("c1", "body", NOW));
  }

  private static PlanInfo info(PlanState state) {
    var job =
        JobView.of(
            JobState.create(JOB, new JobFact.Submitted(JobSpec.of("exec", Json.NULL), NOW, false)),
            NOW);
    var steps =
        state.spec().steps().stream()
            .map(
                step ->
                    PlanView.step(
                        step,
                        state.steps().find(step.name()).orElseThrow(),
                        Optional.of(job),
                        Optional.empty()))
            .toList();
    return PlanView.of(state, steps);
  }

  @Test
  void isInPlainValues() {
    var plan = info(running());

    assertThat(plan.id()).isEqualTo(ID);
    assertThat(plan.name()).isEqualTo("site");
    assertThat(plan.status()).isEqualTo(PlanStatus.RUNNING);
    assertThat(plan.isStopping()).isFalse();
    assertThat(plan.reason()).isEmpty();
    assertThat(plan.maxParallel()).isEqualTo(3);
    assertThat(plan.failFast()).isTrue();
    assertThat(plan.deadline()).contains(Duration.ofMinutes(90));
    assertThat(plan.parent()).contains(PARENT);
    assertThat(plan.step()).contains("look");
    assertThat(plan.root()).contains(PARENT);
    assertThat(plan.path()).contains("look");
    assertThat(plan.createdAt()).isEqualTo(NOW);
    assertThat(plan.startedAt()).isEmpty();
    assertThat(plan.finishedAt()).isEmpty();
    assertThat(plan.cancel()).isEmpty();
    assertThat(plan.changesets()).extracting(ChangesetInfo::id).containsExactly("s1", "c1");
    assertThat(plan.changesets().getFirst().step()).contains("look/build");
    assertThat(plan.changesets().getLast().by()).contains("anna");
    assertThat(plan.openChangesets())
        .containsExactly(new PlanInfo.OpenChangeset("c2", "more", "anna", NOW, 0));
    assertThat(plan.applied()).isEmpty();
    assertThat(plan.applying()).isEmpty();
    assertThat(plan.decisions()).isEmpty();
    assertThat(plan.size()).isEqualTo(2);
    assertThat(plan.done()).isZero();
    var step = plan.steps().getFirst();
    assertThat(step.status()).isEqualTo("queued");
    assertThat(step.stage()).isEqualTo(PlanInfo.StepStatus.RELEASED);
    assertThat(step.job()).contains(JOB);
    assertThat(step.type()).contains("exec");
    assertThat(step.attempt()).hasValue(0);
    assertThat(plan.steps().getLast().status()).isEqualTo("waiting");
    assertThat(plan.steps().getLast().after()).containsExactly("build");
  }

  @Test
  void isStoppingIfItsStateIs() {
    var states =
        List.of(
            running(),
            running().stepMoved("build", PlanInfo.StepStatus.FAILED, "no"),
            running().apply(stop(PlanPhase.StopCause.CANCEL)),
            running().apply(stop(PlanPhase.StopCause.DEADLINE)),
            running().apply(new PlanFact.Ended(new PlanPhase.Succeeded(NOW))));

    assertThat(states.stream().map(state -> info(state).isStopping()))
        .isEqualTo(states.stream().map(PlanState::isStopping).toList())
        .contains(true, false);
  }

  private static PlanFact stop(PlanPhase.StopCause cause) {
    return new PlanFact.StopRequested(new PlanPhase.Stopping(cause, "why", "me", NOW));
  }

  @ParameterizedTest
  @EnumSource
  void isTheSameJsonAsOnTheCommandLine(JacksonMappers mapper) {
    var plan = info(running().apply(stop(PlanPhase.StopCause.CANCEL)));

    assertThat(JacksonMappers.tree(mapper.write(plan)))
        .isEqualTo(JacksonMappers.tree(plan.toJson()));
    assertThat(JacksonMappers.tree(plan.toJson()).get("cancel").toString())
        .isEqualTo("{\"reason\":\"why\",\"by\":\"me\"}");
    assertThat(JacksonMappers.tree(plan.toJson()).get("changesets").get(0).toString())
        .startsWith(
            "{\"id\":\"s1\",\"label\":\"look/build\",\"step\":\"look/build\",\"job\":\""
                + JOB
                + "\",\"attempt\":2,\"by\":null,\"at\":\"2030-01-01T00:00:00Z\",\"changes\":4,"
                + "\"decisions\":1,\"hash\":");
    assertThat(JacksonMappers.tree(plan.toJson()).get("open").size()).isOne();
    assertThat(JacksonMappers.tree(plan.toJson()).get("steps").get(0).toString())
        .isEqualTo(
            "{\"name\":\"build\",\"after\":[],\"status\":\"queued\",\"reason\":null,"
                + "\"type\":\"exec\",\"job\":\""
                + JOB
                + "\",\"attempt\":0,\"progress\":null,\"plan\":null}");
  }

  /// The jobs of the steps are not part of the JSON.
  @ParameterizedTest
  @EnumSource
  void isReadBackFromJson(JacksonMappers mapper) {
    var plan = info(running());

    var read = mapper.read(mapper.write(plan), PlanInfo.class);

    assertThat(mapper.write(read)).isEqualTo(mapper.write(plan));
    assertThat(read.steps())
        .extracting(PlanInfo.Step::stage)
        .containsExactly(PlanInfo.StepStatus.RELEASED, PlanInfo.StepStatus.WAITING);
    assertThat(read.steps()).allMatch(step -> step.info().isEmpty());
  }
}
