package dev.handoff.plan;

import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobReply;
import dev.handoff.ledger.EntityId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/// Tells the steps of a plan what [Orders] says, each once; and again after a while, if nothing
/// came of it. Belongs to the plan's actor.
final class Telling {

  private final PlanEnvironment environment;
  private final ActorRef<JobReply> jobs;
  private final ActorRef<PlanReply> plans;
  private final Set<String> started = new HashSet<>();
  private final Set<String> stopped = new HashSet<>();

  /// Its steps, once one of them has answered.
  private final Map<EntityId, PlanSpec.Step> byId = new HashMap<>();

  Telling(ActorContext<Plan.Command> context, PlanEnvironment environment) {
    this.environment = environment;
    this.jobs = context.messageAdapter(JobReply.class, Plan.JobAnswered::new);
    this.plans = context.messageAdapter(PlanReply.class, Plan.PlanAnswered::new);
  }

  /// Tells what has not been told yet.
  void tell(PlanState plan) {
    started.removeIf(step -> !isWaiting(plan, step));
    for (var order : Orders.of(plan, started)) {
      switch (order) {
        case Orders.Start(var step, boolean again) -> start(plan, step, again);
        case Orders.Stop(var step, var reason) -> stop(plan, step, reason);
      }
    }
  }

  private static boolean isWaiting(PlanState plan, String step) {
    return plan.steps().find(step).filter(at -> at.status() == StepStatus.WAITING).isPresent();
  }

  /// Whether something has been told that cannot be seen in the plan yet.
  boolean isOpen(PlanState plan) {
    return !started.isEmpty() || !stopped.isEmpty() && !plan.steps().allEnded();
  }

  /// What the answer of a job that was told something leads to. Whatever else it answers shows in
  /// the plan, or it is told again.
  Optional<PlanCommand> heard(PlanState plan, JobReply reply) {
    return switch (reply) {
      case JobReply.NotFound(var job) -> step(plan, job).map(Telling::lose);
      case JobReply.AlreadyFinished over -> step(plan, over.job()).flatMap(this::drop);
      case JobReply told -> Optional.empty();
    };
  }

  /// What the answer of a child plan leads to.
  Optional<PlanCommand> heard(PlanState plan, PlanReply reply) {
    return switch (reply) {
      case PlanReply.NotFound(var child) -> step(plan, child).map(Telling::lose);
      case PlanReply.Answered(var child, PlanAnswer.AlreadyFinished over) ->
          step(plan, child).flatMap(this::drop);
      case PlanReply told -> Optional.empty();
    };
  }

  /// All of ten thousand steps may have something to say.
  private Optional<PlanSpec.Step> step(PlanState plan, EntityId id) {
    if (byId.isEmpty()) {
      plan.spec().steps().forEach(step -> byId.put(step.id(), step));
    }
    return Optional.ofNullable(byId.get(id));
  }

  private static PlanCommand lose(PlanSpec.Step step) {
    return new PlanCommand.LoseStep(step.name());
  }

  /// What was told to stop before it was opened again had ended, and no fact will say so. If it was
  /// told to start before, that may be on its way still: it is told to stop once more, later.
  private Optional<PlanCommand> drop(PlanSpec.Step step) {
    return started.contains(step.name())
        ? Optional.empty()
        : Optional.of(new PlanCommand.DropStep(step.name()));
  }

  /// Tells again what has had no effect yet. What was told to start keeps its place meanwhile: it
  /// may be on its way, and come beside another one that would have got it.
  void tellAgain(PlanState plan) {
    stopped.clear();
    if (plan.isStopping()) {
      started.clear();
    }
    for (var step : plan.spec().steps()) {
      if (started.contains(step.name()) && isWaiting(plan, step.name())) {
        start(plan, step, plan.steps().find(step.name()).orElseThrow().again());
      }
    }
  }

  /// From now on everything may be told again.
  void forget() {
    started.clear();
    stopped.clear();
  }

  private void start(PlanState plan, PlanSpec.Step step, boolean again) {
    started.add(step.name());
    var by = "plan " + plan.id();
    if (step.job() != null) {
      tell(step, again ? new JobCommand.Retry(by, true) : new JobCommand.Release());
    } else {
      tell(step, again ? new PlanCommand.Retry(by, true) : new PlanCommand.Release());
    }
  }

  private void stop(PlanState plan, PlanSpec.Step step, String reason) {
    if (stopped.add(step.name())) {
      var by = "plan " + plan.id();
      if (step.job() != null) {
        tell(step, new JobCommand.Cancel(reason, by));
      } else {
        tell(step, new PlanCommand.Cancel(reason, by));
      }
    }
  }

  private void tell(PlanSpec.Step step, JobCommand command) {
    var message = new ForJob(step.job(), new Job.Do(command, jobs));
    environment.partition().tell(new PlanNotice.ToJob(message));
  }

  private void tell(PlanSpec.Step step, PlanCommand command) {
    var message = new ForPlan(step.plan(), new Plan.Do(command, plans));
    environment.partition().tell(new PlanNotice.ToPlan(message));
  }
}
