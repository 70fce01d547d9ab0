package dev.handoff.internal.plan;

import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.LiveStates;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Folding of facts into plan states: facts of plans, and facts of steps, which change their plan
/// in the same commit.
public final class PlanFolding {

  private PlanFolding() {}

  /// Folds a fact of a plan. Returns the new states of the plan and of its parent.
  public static List<EntityState> fold(LiveStates live, String entity, PlanFact fact) {
    var before = (PlanState) live.get(entity);
    var after =
        switch (fact) {
          case PlanFact.Submitted first when before == null ->
              PlanState.create(new PlanId(entity), first);
          case PlanFact.Reopened again -> again.state().apply(again);
          case PlanFact.Recalled back -> back.state().apply(back);
          case PlanFact other -> before == null ? null : before.apply(other);
        };
    if (after == null) {
      return List.of();
    }
    List<EntityState> states = new ArrayList<>();
    states.add(live.put(after));
    var origin = after.spec().origin();
    if (origin != null) {
      moved(live, origin, fact, after, states);
    }
    return states;
  }

  private static void moved(
      LiveStates live,
      PlanSpec.Origin origin,
      PlanFact fact,
      PlanState child,
      List<EntityState> states) {
    switch (fact) {
      case PlanFact.Released go ->
          move(live, origin.parent(), origin.step(), PlanInfo.StepStatus.RELEASED, null, states);
      case PlanFact.Reopened again ->
          move(live, origin.parent(), origin.step(), PlanInfo.StepStatus.RELEASED, null, states);
      case PlanFact.Ended(var how) -> {
        var status =
            switch (how) {
              case PlanPhase.Succeeded won -> PlanInfo.StepStatus.SUCCEEDED;
              case PlanPhase.Failed failed -> PlanInfo.StepStatus.FAILED;
              case PlanPhase.Cancelled cancelled -> PlanInfo.StepStatus.CANCELLED;
            };
        move(live, origin.parent(), origin.step(), status, reason(how), states);
      }
      case PlanFact other -> {}
    }
  }

  private static @Nullable String reason(PlanPhase.Ended how) {
    return switch (how) {
      case PlanPhase.Succeeded won -> null;
      case PlanPhase.Failed failed -> failed.reason();
      case PlanPhase.Cancelled cancelled -> cancelled.reason();
    };
  }

  /// Folds a fact of a step. Returns the new plan states; none if the job is no step.
  ///
  /// @param job state of the job after the fact
  public static List<EntityState> foldStep(LiveStates live, JobState job, JobFact fact) {
    if (!job.spec().isStep()) {
      return List.of();
    }
    var origin = job.spec().origin();
    var plan = new PlanId(origin.plan());
    var step = origin.step();
    List<EntityState> states = new ArrayList<>();
    switch (fact) {
      case JobFact.Released go ->
          move(live, plan, step, PlanInfo.StepStatus.RELEASED, null, states);
      case JobFact.Reopened again ->
          move(live, plan, step, PlanInfo.StepStatus.RELEASED, null, states);
      case JobFact.Succeeded won -> {
        commit(live, plan, step, job, won, states);
        move(live, plan, step, PlanInfo.StepStatus.SUCCEEDED, null, states);
      }
      case JobFact.Failed(var end) ->
          move(live, plan, step, PlanInfo.StepStatus.FAILED, end.error().message(), states);
      case JobFact.Cancelled cancelled ->
          move(
              live,
              plan,
              step,
              PlanInfo.StepStatus.CANCELLED,
              cancelled.request().reason(),
              states);
      case JobFact.Submitted held -> {}
      case JobFact.Ongoing underway -> {}
    }
    return states;
  }

  /// Adds the changes of an attempt to the root plan, in ledger order.
  private static void commit(
      LiveStates live,
      PlanId id,
      String step,
      JobState job,
      JobFact.Succeeded won,
      List<EntityState> states) {
    var made = won.contribution();
    if (made != null && live.get(id.value()) instanceof PlanState plan) {
      var origin = plan.spec().origin();
      var root = origin == null ? plan : (PlanState) live.get(origin.root().value());
      var by = ChangesetAuthor.attempt(job.id(), won.attempt(), plan.spec().path(step));
      var set = job.id() + ":" + won.attempt();
      if (root != null) {
        states.add(
            live.put(
                root.committed(set, by, won.at(), made.changes(), made.decisions(), made.body())));
      }
    }
  }

  private static void move(
      LiveStates live,
      PlanId id,
      String step,
      PlanInfo.StepStatus status,
      @Nullable String reason,
      List<EntityState> states) {
    if (live.get(id.value()) instanceof PlanState plan && !plan.isOver()) {
      states.add(live.put(plan.stepMoved(step, status, reason)));
    }
  }
}
