package dev.handoff.internal.facade.attempt;

import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.UnavailableException;
import dev.handoff.internal.dispatch.worker.HandlerAttempt;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.facade.JobCalls;
import dev.handoff.internal.facade.RunningEngine;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanEnvelope;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.capture.EarlierSteps;
import dev.handoff.internal.text.Durations;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/// View of a step's plan for an attempt.
///
/// @param jobs completes when the engine has started
record AttemptPlan(HandlerAttempt attempt, CompletableFuture<JobCalls> jobs) {

  /// Id of the step's plan.
  PlanId id() {
    return new PlanId(attempt.spec().plan());
  }

  String step() {
    return attempt.spec().origin().step();
  }

  CompletionStage<RunningEngine> engine() {
    return jobs.thenApply(JobCalls::engine);
  }

  /// Current state of a plan.
  CompletionStage<PlanState> state(PlanId plan) {
    return engine()
        .thenCompose(
            engine ->
                engine
                    .calls()
                    .<Gateway.Command, PlanReply>ask(
                        engine.doors().gateway(),
                        replyTo ->
                            new Gateway.RoutePlan(new PlanEnvelope(plan, new Plan.Get(replyTo))))
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

  /// Id of the topmost plan, which stores the changes of all plans below.
  CompletionStage<PlanId> root() {
    return state(id())
        .thenApply(plan -> plan.spec().origin() == null ? plan.id() : plan.spec().origin().root());
  }

  /// Plans from the step's own plan up to the topmost one.
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

  /// Place of the step in each of these plans.
  List<EarlierSteps.Place> places(List<PlanState> upwards) {
    var places = new ArrayList<EarlierSteps.Place>();
    var step = step();
    for (var plan : upwards) {
      places.add(new EarlierSteps.Place(plan.spec(), step));
      step = plan.spec().origin() == null ? "" : plan.spec().origin().step();
    }
    return places;
  }

  /// Result of another step of the same plan.
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
    if (status != PlanInfo.StepStatus.SUCCEEDED) {
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
                SafeText.shown(name),
                String.join(", ", known),
                plan.spec().steps().size() > known.size() ? ", …" : ""));
  }

  private CompletionStage<Json> result(JobId job) {
    return engine()
        .thenCompose(
            engine ->
                engine
                    .calls()
                    .<Gateway.Command, StateReply>ask(
                        engine.doors().gateway(),
                        replyTo -> new Gateway.Route(new JobEnvelope(job, new Job.Get(replyTo))))
                    .thenApply(AttemptPlan::result));
  }

  private static Json result(StateReply reply) {
    return switch (reply) {
      case StateReply.Found(var state)
          when state.phase() instanceof JobPhase.Succeeded(var result, var at) ->
          result;
      case StateReply.Found(var state) -> throw withoutResult(state.id());
      case StateReply.NotFound(var job) -> throw withoutResult(job);
      case StateReply.Unavailable(var job, var reason, var retryAfter) ->
          throw new UnavailableException(UnavailableReasons.of(reason, retryAfter));
    };
  }

  private static UnavailableException withoutResult(JobId job) {
    return new UnavailableException("job " + job + " has no result at the moment");
  }
}
