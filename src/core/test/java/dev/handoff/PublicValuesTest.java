package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.job.JobState;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.PlanCancelHandle;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanPage;
import dev.handoff.plan.ResolveAnswer;
import dev.handoff.testing.PublicTypes;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a caller is told")
class PublicValuesTest {

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

    reached.keySet().removeIf(name -> !name.startsWith("dev.handoff.internal."));

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
