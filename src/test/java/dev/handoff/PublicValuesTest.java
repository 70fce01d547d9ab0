package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.job.JobError;
import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import dev.handoff.job.JobStatus;
import dev.handoff.job.Json;
import dev.handoff.plan.ApplyOutcome;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.StepStatus;
import dev.handoff.plan.change.Conflict;
import dev.handoff.plan.change.ContentRef;
import dev.handoff.plan.change.Counts;
import dev.handoff.plan.change.DiffReport;
import dev.handoff.plan.change.FileDiff;
import dev.handoff.plan.change.Verdict;
import dev.handoff.testing.PublicTypes;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a caller is told")
class PublicValuesTest {

  /// The types of other packages that callers see.
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
          Verdict.class,
          Verdict.Intact.class,
          Verdict.Altered.class,
          DiffReport.class,
          Counts.class,
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
                Cancelling.class,
                PlanCancelling.class,
                ApplyAnswer.class,
                ChangeAnswer.class,
                ChangesetAnswer.class,
                ResolveAnswer.class,
                Verdict.class,
                PlanDiff.class,
                PlanConflict.class,
                QueueInfo.class,
                Health.class,
                JobEvent.class));

    reached.keySet().removeIf(name -> !name.substring("dev.handoff.".length()).contains("."));
    KNOWN_TO_ALL.forEach(type -> reached.remove(type.getName()));

    assertThat(reached).isEmpty();
  }

  /// The walk finds what it looks for.
  @Test
  void wouldBeSeenToLeadThere() {
    record Leaking(JobState state) {}

    assertThat(PublicTypes.reachedFrom(Set.of(Leaking.class)))
        .containsEntry(JobState.class.getName(), Leaking.class.getName())
        .containsKey("dev.handoff.job.JobCommand");
  }
}
