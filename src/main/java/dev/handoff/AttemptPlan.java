package dev.handoff;

import dev.handoff.dispatch.Attempt;
import dev.handoff.engine.Gateway;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.Json;
import dev.handoff.job.Phase;
import dev.handoff.job.Text;
import dev.handoff.plan.ForPlan;
import dev.handoff.plan.Plan;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanReply;
import dev.handoff.plan.PlanSpec;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.StepStatus;
import dev.handoff.plan.capture.EarlierSteps;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/// The plan of a step, as an attempt of it sees it.
///
/// @param handoff complete when the engine has started
record AttemptPlan(Attempt attempt, CompletableFuture<Handoff> handoff) {

  /// The plan that the step belongs to.
  PlanId id() {
    return new PlanId(attempt.spec().plan());
  }

  String step() {
    return attempt.spec().origin().step();
  }

  CompletionStage<Handoff.Inside> inside() {
    return handoff.thenApply(Handoff::inside);
  }

  /// A plan as it is now.
  CompletionStage<PlanState> state(PlanId plan) {
    return inside()
        .thenCompose(
            inside ->
                inside
                    .calls()
                    .<Gateway.Command, PlanReply>ask(
                        inside.doors().gateway(),
                        replyTo -> new Gateway.RoutePlan(new ForPlan(plan, new Plan.Get(replyTo))))
                    .thenApply(reply -> current(plan, reply)));
  }

  private static PlanState current(PlanId plan, PlanReply reply) {
    return switch (reply) {
      case PlanReply.Current(var state) -> state;
      case PlanReply.NotFound none ->
          throw new IllegalStateException("plan " + plan + " is not kept any more");
      case PlanReply.Unavailable(var id, var reason, var later) ->
          throw new UnavailableException(
              "%s; try again in %s".formatted(reason, Durations.exact(later)));
      case PlanReply.Refused(var id, var reason) -> throw new UnavailableException(reason);
      case PlanReply other ->
          throw new UnavailableException(
              "plan " + plan + " gave an answer that does not fit the question");
    };
  }

  /// The plan at the top, which keeps the changes of all plans below it.
  CompletionStage<PlanId> root() {
    return state(id())
        .thenApply(plan -> plan.spec().origin() == null ? plan.id() : plan.spec().origin().root());
  }

  /// The plan of the step, the one above it, and so on up to the one at the top.
  CompletionStage<List<PlanState>> upwards() {
    return upwards(id(), List.of());
  }

  private CompletionStage<List<PlanState>> upwards(PlanId plan, List<PlanState> below) {
    return state(plan)
        .thenCompose(
            state -> {
              var plans = Stream.concat(below.stream(), Stream.of(state)).toList();
              var origin = state.spec().origin();
              return origin == null
                  ? CompletableFuture.completedStage(plans)
                  : upwards(origin.parent(), plans);
            });
  }

  /// Where the step is in each of these plans.
  List<EarlierSteps.Place> places(List<PlanState> upwards) {
    var places = new ArrayList<EarlierSteps.Place>();
    var step = step();
    for (var plan : upwards) {
      places.add(new EarlierSteps.Place(plan.spec(), step));
      step = plan.spec().origin() == null ? "" : plan.spec().origin().step();
    }
    return places;
  }

  /// What another step of the same plan has come to.
  CompletionStage<Json> result(String step) {
    return state(id()).thenCompose(plan -> result(job(plan, step)));
  }

  private static JobId job(PlanState plan, String name) {
    var step =
        plan.spec().steps().stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow(() -> unknown(plan, name));
    var status = plan.steps().find(name).orElseThrow().status();
    if (step.job() == null) {
      throw new IllegalArgumentException(
          "step \"%s\" of plan %s is a plan, which has no result: ask for one of its steps there"
              .formatted(name, plan.id()));
    }
    if (status != StepStatus.SUCCEEDED) {
      throw new IllegalStateException(
          "step \"%s\" of plan %s is %s, and has no result: name it in \"after\" to run behind it"
              .formatted(name, plan.id(), status.label()));
    }
    return step.job();
  }

  private static IllegalArgumentException unknown(PlanState plan, String name) {
    var known = plan.spec().steps().stream().map(PlanSpec.Step::name).limit(20).toList();
    return new IllegalArgumentException(
        "plan %s has no step \"%s\"; it has %s%s"
            .formatted(
                plan.id(),
                Text.shown(name),
                String.join(", ", known),
                plan.spec().steps().size() > known.size() ? ", …" : ""));
  }

  private CompletionStage<Json> result(JobId job) {
    return inside()
        .thenCompose(
            inside ->
                inside
                    .calls()
                    .<Gateway.Command, JobReply>ask(
                        inside.doors().gateway(),
                        replyTo -> new Gateway.Route(new ForJob(job, new Job.Get(replyTo))))
                    .thenApply(AttemptPlan::result));
  }

  private static Json result(JobReply reply) {
    return switch (reply) {
      case JobReply.Done(var state)
          when state.phase() instanceof Phase.Succeeded(var result, var at) ->
          result;
      case JobReply other -> throw new UnavailableException(other);
    };
  }
}
