package dev.handoff.internal.plan;

import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobState;
import dev.handoff.plan.PlanId;
import java.util.List;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;

/// Messages from a plan to its partition. Local to the partition.
public sealed interface PlanNotice extends NoSerializationVerificationNeeded {

  /// Plan is in history, or was never accepted. The partition replies with [Plan.Retire].
  ///
  /// @param actor sender; a later actor of the same plan is not affected
  record Gone(PlanId plan, ActorRef<Plan.Command> actor) implements PlanNotice {}

  /// Actor of the plan failed. The ledger still holds the plan's state.
  record Crashed(PlanId plan, ActorRef<Plan.Command> actor, String cause) implements PlanNotice {}

  /// Actor failed again while it reported a failure, most likely for lack of memory. Its waiting
  /// requesters are unknown.
  enum Disorder implements PlanNotice {
    INSTANCE
  }

  /// Steps and child plans that were accepted with their plan and need actors.
  record Born(List<JobState> jobs, List<PlanState> plans) implements PlanNotice {
    public Born {
      jobs = List.copyOf(jobs);
      plans = List.copyOf(plans);
    }
  }

  /// Message for a job of this partition.
  record ToJob(JobEnvelope message) implements PlanNotice {}

  /// Message for another plan of this partition.
  record ToPlan(PlanEnvelope message) implements PlanNotice {}
}
