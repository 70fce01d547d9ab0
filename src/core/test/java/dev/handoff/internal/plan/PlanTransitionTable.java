package dev.handoff.internal.plan;

import dev.handoff.testing.TransitionIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// Generates `docs/plan-transitions.md` from the rules: the result of each command in each
/// situation of a plan.
///
/// ```
/// ./sbt "core/Test/runMain dev.handoff.internal.plan.PlanTransitionTable"
/// ```
final class PlanTransitionTable {

  static final Path FILE = Path.of("docs", "plan-transitions.md");

  private PlanTransitionTable() {}

  public static void main(String[] args) throws IOException {
    Files.writeString(FILE, text());
  }

  static String saved() {
    try {
      return Files.readString(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text() {
    var text = new StringBuilder(INTRODUCTION).append(index());
    PlanSamples.commands()
        .keySet()
        .forEach(
            command -> {
              text.append("\n## ").append(command).append("\n\n");
              text.append("| in | facts | answer | then |\n|---|---|---|---|\n");
              rows(command).forEach(text::append);
            });
    return text.toString();
  }

  private static String index() {
    return TransitionIndex.of(
        PlanSamples.situations().keySet(),
        PlanSamples.commands().keySet(),
        (situation, command) -> {
          var plan = PlanSamples.situations().get(situation);
          var decision = plan.decide(PlanSamples.commands().get(command), PlanSamples.LATER);
          return decision.facts().isEmpty() ? "" : status(PlanSamples.after(plan, decision));
        });
  }

  private static List<String> rows(String command) {
    return PlanSamples.situations().entrySet().stream()
        .map(situation -> row(situation.getKey(), situation.getValue(), command))
        .toList();
  }

  private static String row(String situation, PlanState plan, String command) {
    var decision = plan.decide(PlanSamples.commands().get(command), PlanSamples.LATER);
    var after = PlanSamples.after(plan, decision);
    var facts =
        decision.facts().stream()
            .map(fact -> "`" + fact.getClass().getSimpleName() + "`")
            .collect(Collectors.joining(", "));
    return "| %s | %s | %s | %s |\n"
        .formatted(
            situation,
            facts.isEmpty() ? "–" : facts,
            told(decision.answer()),
            facts.isEmpty() ? "–" : status(after));
  }

  private static String status(PlanState plan) {
    return plan.status().label() + (plan.recalled() ? ", recalled" : "");
  }

  private static String told(PlanAnswer answer) {
    return switch (answer) {
      case PlanAnswer.Done done -> "done";
      case PlanAnswer.AlreadyFinished(var status) -> "already " + status.label();
      case PlanAnswer.Declined(var reason) -> "declined: " + told(reason);
      case PlanAnswer.Started(var set) -> "started " + set;
      case PlanAnswer.Recorded(var set, int entries) -> "recorded in " + set;
      case PlanAnswer.NoActiveChangeset none -> "no active changeset";
      case PlanAnswer.ChangesetClosed(var set, boolean committed) ->
          committed ? "changeset is committed" : "changeset was dropped";
      case PlanAnswer.UnknownChangeset unknown -> "unknown changeset";
      case PlanAnswer.Full(var reason) -> "full";
      case PlanAnswer.Busy busy -> "busy";
      case PlanAnswer.NothingToApply nothing -> "nothing to apply";
    };
  }

  private static String told(String reason) {
    return reason.replaceAll("plan [0-9A-Z]{26}", "its root plan").replaceAll(":.*", "");
  }

  private static final String INTRODUCTION =
      """
      # Transitions of plans

      What each command leads to in each situation of a plan: the facts that are written, what whoever sent it is
      answered once they are durable, and the status that the plan has then. A dash means that nothing is written and
      nothing changes. Every command is answered in every situation. What the facts of its steps make of a plan is not
      in here: those are folded as they come ([transitions of jobs](transitions.md)).

      Made from the rules in `dev.handoff.internal.plan.PlanTransitions`; a test fails when this file differs from them. To write
      it anew: `./sbt "core/Test/runMain dev.handoff.internal.plan.PlanTransitionTable"`.

      The plans have two steps, the second one after the first, and a deadline of a minute. `c1` is the first changeset
      that a caller has opened, if one has.
      """;
}
