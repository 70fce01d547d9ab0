package dev.handoff.internal.plan;

import dev.handoff.EntityId;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobReply;
import dev.handoff.plan.PlanInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/// Sender of [StepOrders] to a plan's steps. Each order is sent once, and repeated later if
/// ineffective. Part of the plan's actor.
final class StepMessenger {

  private final PlanEnvironment environment;
  private final ActorRef<JobReply> jobs;
  private final ActorRef<PlanReply> plans;
  private final Set<String> started = new HashSet<>();
  private final Set<String> stopped = new HashSet<>();

  /// Steps by id, built on the first reply.
  private final Map<EntityId, PlanSpec.Step> byId = new HashMap<>();

  StepMessenger(ActorContext<Plan.Command> context, PlanEnvironment environment) {
    this.environment = environment;
    this.jobs = context.messageAdapter(JobReply.class, Plan.JobAnswered::new);
    this.plans = context.messageAdapter(PlanReply.class, Plan.PlanAnswered::new);
  }

  /// Sends all orders not sent yet.
  void tell(PlanState plan) {
    started.removeIf(step -> !isWaiting(plan, step));
    for (var order : StepOrders.of(plan, started)) {
      switch (order) {
        case StepOrders.Start(var step, boolean again) -> start(plan, step, again);
        case StepOrders.Stop(var step, var reason) -> stop(plan, step, reason);
      }
    }
  }

  private static boolean isWaiting(PlanState plan, String step) {
    return plan.steps()
        .find(step)
        .filter(at -> at.status() == PlanInfo.StepStatus.WAITING)
        .isPresent();
  }

  /// Returns whether a sent order has no visible effect yet.
  boolean isOpen(PlanState plan) {
    return !started.isEmpty() || !stopped.isEmpty() && !plan.steps().allEnded();
  }

  /// Command that follows from a job's reply. Other replies need none: their effect shows in the
  /// plan, or the order is repeated.
  Optional<PlanCommand> heard(PlanState plan, JobReply reply) {
    return switch (reply) {
      case JobReply.NotFound(var job) -> step(plan, job).map(StepMessenger::lose);
      case JobReply.AlreadyFinished over -> step(plan, over.job()).flatMap(this::drop);
      case JobReply told -> Optional.empty();
    };
  }

  /// Command that follows from a child plan's reply.
  Optional<PlanCommand> heard(PlanState plan, PlanReply reply) {
    return switch (reply) {
      case PlanReply.NotFound(var child) -> step(plan, child).map(StepMessenger::lose);
      case PlanReply.Answered(var child, PlanAnswer.AlreadyFinished over) ->
          step(plan, child).flatMap(this::drop);
      case PlanReply told -> Optional.empty();
    };
  }

  /// Finds a step through an index: up to ten thousand steps may reply.
  private Optional<PlanSpec.Step> step(PlanState plan, EntityId id) {
    if (byId.isEmpty()) {
      plan.spec().steps().forEach(step -> byId.put(step.id(), step));
    }
    return Optional.ofNullable(byId.get(id));
  }

  private static PlanCommand lose(PlanSpec.Step step) {
    return new PlanCommand.LoseStep(step.name());
  }

  /// Drops a step that had ended before its stop order arrived: no fact will report its end. With a
  /// start order possibly in flight, nothing is dropped; the stop order is repeated later.
  private Optional<PlanCommand> drop(PlanSpec.Step step) {
    return started.contains(step.name())
        ? Optional.empty()
        : Optional.of(new PlanCommand.DropStep(step.name()));
  }

  /// Repeats start orders and permits new stop orders. A step with a start order keeps its place
  /// within `maxParallel`: otherwise another step might run beside it when the order in flight
  /// arrives.
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

  /// Clears the memory of sent orders, which permits repetitions.
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

  private void tell(PlanSpec.Step step, JobCommand.OfJob command) {
    var message = new JobEnvelope(step.job(), new Job.Do(command, jobs));
    environment.partition().tell(new PlanNotice.ToJob(message));
  }

  private void tell(PlanSpec.Step step, PlanCommand command) {
    var message = new PlanEnvelope(step.plan(), new Plan.Do(command, plans));
    environment.partition().tell(new PlanNotice.ToPlan(message));
  }
}
