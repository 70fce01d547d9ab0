package dev.handoff.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.handoff.internal.text.Durations;
import dev.handoff.json.ChangesJson;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Summary of a plan's run.
///
/// @param again follow-up commands for the plan
record PlanSummary(PlanEnd end, NextCommand again) {

  private static final int MOST_FAILURES = 10;
  private static final Pattern OF_STEPS = Pattern.compile("[\\d,.]+ of [\\d,.]+ steps ");

  /// A step with its path through parent plans.
  private record Placed(String path, PlanInfo.Step step) {}

  String text() {
    var lines = new ArrayList<String>();
    if (end.broken() != null) {
      lines.add("the end of the plan is not known: " + TerminalText.line(end.broken()));
    }
    if (end.plan() == null) {
      lines.add("plan " + end.id());
    } else {
      seen(lines, end.plan());
    }
    return String.join("\n", lines) + "\n";
  }

  private void seen(List<String> lines, PlanInfo plan) {
    lines.add(headline(plan));
    reason(plan).ifPresent(why -> lines.add("  " + why));
    failures(plan).limit(MOST_FAILURES).forEach(one -> lines.add("  " + failure(one)));
    if (failures(plan).count() > MOST_FAILURES) {
      lines.add("  … (%s shows all that failed)".formatted(again.plan("show")));
    }
    end.cancel().ifPresent(report -> lines.addAll(CancelText.parts(report, again)));
    end.diff()
        .ifPresent(
            diff -> {
              lines.add("it has changed " + DiffPrinter.counts(diff.report().counts()));
              lines.addAll(DiffPrinter.conflicts(diff, ConflictSides.of(plan)));
            });
    next(lines, plan);
  }

  /// Reason of a failure, unless the step list already explains it.
  private static Optional<String> reason(PlanInfo plan) {
    return plan.status() == PlanStatus.FAILED || plan.status() == PlanStatus.FAILING
        ? plan.reason().filter(why -> !OF_STEPS.matcher(why).lookingAt()).map(JobEndText::told)
        : Optional.empty();
  }

  private String headline(PlanInfo plan) {
    var parts = new ArrayList<String>();
    parts.add(
        "%d of %d steps succeeded"
            .formatted(count(plan, PlanInfo.StepStatus.SUCCEEDED), plan.size()));
    add(parts, count(plan, PlanInfo.StepStatus.FAILED), "failed");
    add(parts, count(plan, PlanInfo.StepStatus.CANCELLED), "cancelled");
    add(parts, plan.size() - plan.done(), "not finished");
    add(parts, retried(plan), "needed more than one attempt");
    return "plan %s (%s) %s: %s%s  (%s)"
        .formatted(
            end.id(),
            TerminalText.line(plan.name()),
            end.over() ? "has " + past(plan.status()) : "is " + plan.status().label(),
            String.join(", ", parts),
            StepCounts.included(plan),
            Durations.format(end.elapsed()));
  }

  private static String past(PlanStatus status) {
    return status == PlanStatus.CANCELLED ? "been cancelled" : status.label();
  }

  private static void add(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(count + " " + what);
    }
  }

  private static String failure(Placed one) {
    return "step %s: %s"
        .formatted(one.path(), TerminalText.brief(one.step().reason().orElse(""), 160));
  }

  /// Possible next commands.
  private void next(List<String> lines, PlanInfo plan) {
    if (!end.over()) {
      lines.addAll(
          OpenChangesetText.keeps(plan)
              ? OpenChangesetText.lines(plan, again)
              : List.of("it goes on with: " + again.retry()));
      return;
    }
    end.diff().ifPresent(diff -> written(lines, diff));
    if (plan.status() != PlanStatus.SUCCEEDED) {
      lines.add("run again what has not succeeded: " + again.retry());
    }
  }

  /// Commands for the changes. Conflicts must be resolved before an apply.
  private void written(List<String> lines, PlanDiff diff) {
    boolean isDecided = diff.conflicts().isEmpty();
    if (!isDecided) {
      lines.add("decide first: " + again.resolve(diff.conflicts().getFirst().path()));
    }
    if (diff.report().counts().files() > 0 || !isDecided) {
      lines.add("see it: " + again.plan("diff"));
      lines.add((isDecided ? "write it: " : "then write it: ") + again.plan("apply", "--to DIR"));
    }
  }

  ObjectNode json() {
    var json = JsonNodeFactory.instance.objectNode();
    var plan = end.plan();
    json.put("id", end.id().value());
    json.put("name", plan == null ? null : plan.name());
    json.put("status", plan == null ? null : plan.status().label());
    json.put("reason", plan == null ? null : plan.reason().orElse(null));
    if (plan != null) {
      json.putObject("steps")
          .put("total", plan.size())
          .put("succeeded", count(plan, PlanInfo.StepStatus.SUCCEEDED))
          .put("failed", count(plan, PlanInfo.StepStatus.FAILED))
          .put("cancelled", count(plan, PlanInfo.StepStatus.CANCELLED))
          .put("unfinished", plan.size() - plan.done())
          .put("retried", retried(plan));
      var failures = json.putArray("failures");
      failures(plan)
          .forEach(
              one ->
                  failures
                      .addObject()
                      .put("step", one.path())
                      .put("reason", one.step().reason().orElse(null)));
    }
    json.set(
        "changes", end.diff().map(diff -> ChangesJson.counts(diff.report().counts())).orElse(null));
    var conflicts = json.putArray("conflicts");
    end.diff()
        .ifPresent(
            diff ->
                diff.conflicts().stream().map(PlanConflict.Entry::path).forEach(conflicts::add));
    var open = json.putArray("open");
    if (plan != null && !end.over()) {
      plan.openChangesets().stream().map(PlanInfo.OpenChangeset::id).forEach(open::add);
    }
    json.set("cancel", end.cancel().map(ChangesJson::write).orElse(null));
    json.put("seconds", end.elapsed().toMillis() / 1000.0);
    json.put("stopped", end.signal() == null ? end.broken() : "SIG" + end.signal());
    json.put("exitCode", end.exitCode());
    return json;
  }

  private static Stream<Placed> failures(PlanInfo plan) {
    return placed(plan, "").stream()
        .filter(one -> one.step().stage() == PlanInfo.StepStatus.FAILED);
  }

  private static long count(PlanInfo plan, PlanInfo.StepStatus status) {
    return count(plan, step -> step.stage() == status);
  }

  private static long retried(PlanInfo plan) {
    return count(plan, step -> step.info().filter(job -> job.attempt() > 1).isPresent());
  }

  private static long count(PlanInfo plan, Predicate<PlanInfo.Step> which) {
    return placed(plan, "").stream().map(Placed::step).filter(which).count();
  }

  /// Job steps, including those of child plans.
  private static List<Placed> placed(PlanInfo plan, String at) {
    var all = new ArrayList<Placed>();
    for (var step : plan.steps()) {
      if (step.plan().isPresent()) {
        all.addAll(placed(step.plan().get(), at + step.name() + "/"));
      } else {
        all.add(new Placed(at + step.name(), step));
      }
    }
    return all;
  }
}
