package dev.handoff.internal.plan;

import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.plan.PlanInfo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Explores the reachable states of a plan breadth-first: callers send any command at any time, and
/// steps obey their orders or end in another way.
final class PlanWalk {

  private static final Set<Class<?>> AFTER_THE_END =
      Set.of(
          PlanFact.Reopened.class,
          PlanFact.Recalled.class,
          PlanFact.Filed.class,
          PlanFact.Resolved.class,
          PlanFact.ApplyStarted.class,
          PlanFact.ApplyWritten.class,
          PlanFact.ApplyUndone.class);

  /// Rules under test.
  interface Rules {
    PlanDecision decide(PlanState state, PlanCommand command);
  }

  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String what, Object... about) {
      super(what + ": " + List.of(about));
    }
  }

  /// Statistics of a walk.
  record Seen(int states, Set<String> facts, Set<String> answers) {}

  private record Step(PlanState plan, int depth) {}

  private final Rules rules;
  private final int depth;
  private final Set<String> facts = new HashSet<>();
  private final Set<String> answers = new HashSet<>();

  PlanWalk(Rules rules, int depth) {
    this.rules = rules;
    this.depth = depth;
  }

  static PlanDecision real(PlanState state, PlanCommand command) {
    return state.decide(command, PlanSamples.NOW);
  }

  Seen walk(PlanState first) {
    var seen = new HashSet<PlanState>();
    var next = new ArrayDeque<Step>();
    next.add(new Step(first, 0));
    while (!next.isEmpty()) {
      var step = next.poll();
      if (step.depth() == depth) {
        continue;
      }
      for (var after : after(step.plan())) {
        check(after);
        if (seen.add(key(after))) {
          next.add(new Step(after, step.depth() + 1));
        }
      }
    }
    return new Seen(seen.size(), facts, answers);
  }

  /// State without its version, which would make equal states distinct.
  private static PlanState key(PlanState plan) {
    return new PlanState(
        plan.id(),
        plan.spec(),
        plan.createdAt(),
        0,
        plan.phase(),
        plan.steps(),
        plan.book(),
        plan.recalled());
  }

  private List<PlanState> after(PlanState plan) {
    var after = new ArrayList<PlanState>();
    for (var command : commands(plan)) {
      var decision = rules.decide(plan, command);
      answers.add(
          command.getClass().getSimpleName() + " " + decision.answer().getClass().getSimpleName());
      if (!decision.facts().isEmpty()) {
        after.add(apply(plan, decision));
      }
    }
    if (!plan.isOver()) {
      steps(plan, after);
    }
    return after;
  }

  private static List<PlanCommand> commands(PlanState plan) {
    var commands = new ArrayList<>(PlanSamples.commands().values());
    commands.add(new PlanCommand.Commit("c2", PlanSamples.BODY, 1));
    commands.add(PlanSamples.record("c2"));
    commands.add(new PlanCommand.ApplyWritten(2, 1));
    commands.add(new PlanCommand.DropStep("a"));
    commands.removeIf(
        command ->
            command instanceof PlanCommand.StartChangeset && plan.book().started() == 2
                || command instanceof PlanCommand.Apply && plan.book().applies() == 2
                || command instanceof PlanCommand.LoseStep
                || command instanceof PlanCommand.Record && plan.book().openEntries() == 2);
    return commands;
  }

  private PlanState apply(PlanState before, PlanDecision decision) {
    var after = before;
    for (var fact : decision.facts()) {
      facts.add(fact.getClass().getSimpleName());
      if (after.isOver() && !AFTER_THE_END.contains(fact.getClass())) {
        throw new Violation("nothing happens to a plan that is over", fact, before);
      }
      if (fact instanceof PlanFact.Ended
          && (!after.steps().allEnded() || after.book().applying() != null)) {
        throw new Violation("a plan ends after everything in it", before);
      }
      var next = after.apply(fact);
      if (next.version() <= after.version()) {
        throw new Violation("each fact makes a later version", fact, before);
      }
      after = next;
    }
    answered(after, decision.answer());
    return after;
  }

  private static void answered(PlanState after, PlanAnswer answer) {
    boolean honest =
        switch (answer) {
          case PlanAnswer.Recorded(var set, int entries) ->
              after.book().open(set).filter(open -> open.entries().size() == entries).isPresent();
          case PlanAnswer.Started(var set) ->
              after.book().latest().filter(open -> open.id().equals(set)).isPresent();
          case PlanAnswer other -> true;
        };
    if (!honest) {
      throw new Violation("an entry is in the set that its answer names", answer, after);
    }
  }

  /// Moves of steps: obedience to an order, or another end.
  private static void steps(PlanState plan, List<PlanState> after) {
    for (var order : StepOrders.of(plan, Set.of())) {
      switch (order) {
        case StepOrders.Start(var step, boolean again) ->
            after.add(plan.stepMoved(step.name(), PlanInfo.StepStatus.RELEASED, null));
        case StepOrders.Stop(var step, var reason) -> {
          if (!plan.steps().find(step.name()).orElseThrow().isToRunAgain()) {
            after.add(plan.stepMoved(step.name(), PlanInfo.StepStatus.CANCELLED, reason));
          }
        }
      }
    }
    for (var step : plan.steps().all()) {
      if (step.status() == PlanInfo.StepStatus.RELEASED) {
        var by = ChangesetAuthor.caller("worker");
        after.add(
            plan.committed("job:1", by, PlanSamples.NOW, 1, 0, PlanSamples.BODY)
                .stepMoved(step.name(), PlanInfo.StepStatus.SUCCEEDED, null));
        after.add(plan.stepMoved(step.name(), PlanInfo.StepStatus.FAILED, "why"));
      }
    }
  }

  private static void check(PlanState plan) {
    if (plan.steps().count(PlanInfo.StepStatus.RELEASED) > plan.spec().maxParallel()) {
      throw new Violation("no more steps run than may", plan);
    }
    if (plan.recalled() && !plan.isOver()) {
      throw new Violation("only what is over is recalled", plan);
    }
    if (plan.isOver() && (!plan.steps().allEnded() || !plan.book().open().isEmpty())) {
      throw new Violation("with a plan everything in it is over", plan);
    }
    if (plan.ended() && plan.book().applying() != null) {
      throw new Violation("what is in history is not being applied", plan);
    }
    var link = ChainHash.NONE;
    for (var set : plan.book().chain()) {
      if (!set.follows(link)) {
        throw new Violation("each changeset follows the one before", plan);
      }
      link = set.hash();
    }
    for (var step : plan.spec().steps()) {
      boolean begun =
          plan.steps().find(step.name()).orElseThrow().status() == PlanInfo.StepStatus.RELEASED;
      boolean ready =
          step.after().stream()
              .allMatch(
                  before ->
                      plan.steps().find(before).orElseThrow().status()
                          == PlanInfo.StepStatus.SUCCEEDED);
      if (begun && !ready) {
        throw new Violation("a step begins after those before it", step, plan);
      }
    }
  }
}
