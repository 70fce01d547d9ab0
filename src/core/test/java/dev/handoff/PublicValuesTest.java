package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.job.JobState;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.ApplyOutcome;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.Conflict;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.DiffReport;
import dev.handoff.plan.FileDiff;
import dev.handoff.plan.PlanCancelHandle;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanPage;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.ResolveAnswer;
import dev.handoff.plan.StepStatus;
import dev.handoff.testing.PublicTypes;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a caller is told")
class PublicValuesTest {

  /// Types of other packages that are public on purpose.
  private static final Set<Class<?>> KNOWN_TO_ALL =
      Set.of(
          JobId.class,
          JobStatus.class,
          JobError.class,
          Json.class,
          PlanId.class,
          PlanStatus.class,
          StepStatus.class,
          ApplyOutcome.File.class,
          ApplyOutcome.Problem.class,
          ChainVerdict.class,
          ChainVerdict.Intact.class,
          ChainVerdict.Altered.class,
          DiffReport.class,
          DiffReport.Counts.class,
          FileDiff.class,
          FileDiff.Kind.class,
          ContentRef.class,
          Conflict.class,
          Conflict.Why.class);

  @Test
  void leadsToNothingOfTheEnginesOwn() {
    var reached =
        PublicTypes.reachedFrom(
            Set.of(
                JobInfo.class,
                JobPage.class,
                PlanInfo.class,
                PlanPage.class,
                Outcome.class,
                PlanOutcome.class,
                CancelReport.class,
                PlanCancelReport.class,
                CancelHandle.class,
                PlanCancelHandle.class,
                ApplyAnswer.class,
                ChangeAnswer.class,
                ChangesetAnswer.class,
                ResolveAnswer.class,
                ChainVerdict.class,
                PlanDiff.class,
                PlanConflict.class,
                QueueInfo.class,
                Health.class,
                JobEvent.class));

    reached.keySet().removeIf(name -> !name.substring("dev.handoff.".length()).contains("."));
    KNOWN_TO_ALL.forEach(type -> reached.remove(type.getName()));

    assertThat(reached).isEmpty();
  }

  /// Test of the test: the search finds an internal type.
  @Test
  void wouldBeSeenToLeadThere() {
    record Leaking(JobState state) {}

    assertThat(PublicTypes.reachedFrom(Set.of(Leaking.class)))
        .containsEntry(JobState.class.getName(), Leaking.class.getName())
        .containsKey("dev.handoff.internal.job.JobCommand");
  }
}
