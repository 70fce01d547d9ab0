package dev.handoff;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.handoff.plan.Applied;
import dev.handoff.plan.OpenSet;
import dev.handoff.plan.PlanPhase;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.change.Changeset;
import dev.handoff.plan.change.Maker;
import org.jspecify.annotations.Nullable;

/// A plan as JSON: the one form that the CLI, HTTP and the documentation share.
public final class PlanJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private PlanJson() {}

  /// All fields; what a plan does not have is null or empty.
  public static ObjectNode write(PlanInfo plan) {
    var state = plan.state();
    var spec = state.spec();
    var json = NODES.objectNode();
    json.put("id", plan.id().value());
    json.put("name", plan.name());
    json.put("status", plan.status().label());
    json.put("reason", plan.reason().orElse(null));
    json.put("maxParallel", spec.maxParallel());
    json.put("failFast", spec.failFast());
    json.put("deadline", spec.deadline() == null ? null : spec.deadline().toString());
    json.put("parent", spec.origin() == null ? null : spec.origin().parent().value());
    json.put("step", spec.origin() == null ? null : spec.origin().step());
    json.put("createdAt", JobJson.text(plan.createdAt()));
    json.put("startedAt", JobJson.text(plan.startedAt().orElse(null)));
    json.put("finishedAt", JobJson.text(plan.endedAt().orElse(null)));
    json.set("cancel", cancel(state));
    var steps = json.putArray("steps");
    plan.steps().forEach(step -> steps.add(step(step)));
    var changesets = json.putArray("changesets");
    plan.changesets().forEach(set -> changesets.add(changeset(set)));
    var open = json.putArray("open");
    plan.openChangesets().forEach(set -> open.add(open(set)));
    var applied = json.putArray("applied");
    plan.applied().forEach(apply -> applied.add(applied(apply)));
    var applying = state.book().applying();
    json.put("applying", applying == null ? null : applying.target());
    return json;
  }

  private static ObjectNode step(PlanInfo.Step step) {
    var json = NODES.objectNode();
    json.put("name", step.name());
    step.spec().after().forEach(json.putArray("after")::add);
    json.put("status", step.status());
    json.put("reason", step.reason().orElse(null));
    json.put("type", step.spec().type());
    json.put("job", step.spec().job() == null ? null : step.spec().job().value());
    json.put("attempt", step.job().map(JobInfo::attempt).orElse(null));
    json.set("progress", step.job().map(job -> JobJson.progress(job.state())).orElse(null));
    json.set("plan", step.plan().map(PlanJson::write).orElse(null));
    return json;
  }

  /// A committed changeset.
  public static ObjectNode changeset(Changeset set) {
    var json = NODES.objectNode();
    json.put("id", set.id());
    json.put("label", set.label());
    maker(json, set.by());
    json.put("at", JobJson.text(set.at()));
    json.put("changes", set.changes());
    json.put("decisions", set.decisions());
    json.put("hash", set.hash());
    return json;
  }

  private static void maker(ObjectNode json, Maker by) {
    json.put("step", by.step());
    json.put("job", by.job() == null ? null : by.job().value());
    if (by.job() != null) {
      json.put("attempt", by.attempt());
    }
    json.put("by", by.caller());
  }

  private static ObjectNode open(OpenSet set) {
    return NODES
        .objectNode()
        .put("id", set.id())
        .put("label", set.label())
        .put("by", set.by())
        .put("at", JobJson.text(set.at()))
        .put("changes", set.entries().size());
  }

  private static ObjectNode applied(Applied apply) {
    return NODES
        .objectNode()
        .put("target", apply.target())
        .put("changesets", apply.sets())
        .put("files", apply.files())
        .put("at", JobJson.text(apply.at()));
  }

  private static @Nullable JsonNode cancel(PlanState plan) {
    return switch (plan.phase()) {
      case PlanPhase.Stopping(var cause, var reason, var by, var at)
          when cause == PlanPhase.StopCause.CANCEL ->
          cancel(reason, by);
      case PlanPhase.Cancelled(var reason, var by, var at) -> cancel(reason, by);
      case PlanPhase other -> null;
    };
  }

  private static JsonNode cancel(String reason, String by) {
    return NODES.objectNode().put("reason", reason).put("by", by);
  }
}
