package dev.handoff.plan;

import dev.handoff.job.ForJob;
import dev.handoff.job.JobState;
import java.util.List;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;

/// What a plan tells the partition that it lives in. Local to the partition.
public sealed interface PlanNotice extends NoSerializationVerificationNeeded {

  /// The plan is in history, or was never accepted. Answered with [Plan.Retire].
  ///
  /// @param actor the one that says so: a later one of the same plan is not meant
  record Gone(PlanId plan, ActorRef<Plan.Command> actor) implements PlanNotice {}

  /// The plan's actor failed; its state is what the ledger holds.
  record Crashed(PlanId plan, ActorRef<Plan.Command> actor, String cause) implements PlanNotice {}

  /// An actor has failed, and has failed once more while it said so: for want of memory, most
  /// likely. Nobody knows who still waits for it.
  enum Disorder implements PlanNotice {
    INSTANCE
  }

  /// Steps and child plans were accepted together with their plan: they need actors.
  record Born(List<JobState> jobs, List<PlanState> plans) implements PlanNotice {
    public Born {
      jobs = List.copyOf(jobs);
      plans = List.copyOf(plans);
    }
  }

  /// A message for a job of this partition.
  record ToJob(ForJob message) implements PlanNotice {}

  /// A message for another plan of this partition.
  record ToPlan(ForPlan message) implements PlanNotice {}
}
