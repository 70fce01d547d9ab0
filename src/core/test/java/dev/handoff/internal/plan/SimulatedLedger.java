package dev.handoff.internal.plan;

import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.Fact;
import dev.handoff.internal.ledger.LiveStates;
import dev.handoff.internal.ledger.StoredEvent;
import dev.handoff.internal.text.Ulid;
import dev.handoff.plan.PlanInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// In-memory ledger and history, which check after each append that plans agree with their steps.
final class SimulatedLedger {

  private final Random random;
  private final Ulid ids;
  private final List<Append> waiting = new ArrayList<>();
  private final List<Logged> log = new ArrayList<>();
  private final Map<String, EntityState> history = new LinkedHashMap<>();
  private final Map<String, EntityState> known = new LinkedHashMap<>();
  private final Map<String, Integer> seen = new HashMap<>();
  private final Map<String, Integer> contributions = new HashMap<>();
  private final Set<String> dropped = new HashSet<>();
  private LiveStates live = new LiveStates();
  private Consumer<PlanState> moved = plan -> {};
  private Instant now = PlanSamples.NOW;

  private record Append(
      String entity,
      List<? extends StoredEvent> facts,
      @Nullable PlanState row,
      Consumer<EntityState> written,
      Runnable turnedDown) {}

  private record Logged(String entity, StoredEvent event) {}

  SimulatedLedger(Random random) {
    this.random = random;
    this.ids = new Ulid(random);
  }

  Instant now() {
    return now;
  }

  void pass(int millis) {
    now = now.plusMillis(millis);
  }

  String newId() {
    return ids.next(now.toEpochMilli(), 0);
  }

  void onMoved(Consumer<PlanState> then) {
    moved = then;
  }

  void accept(List<Fact> facts) {
    facts.forEach(fact -> fold(fact.entity(), fact.event()));
  }

  void append(
      String entity,
      List<? extends StoredEvent> facts,
      @Nullable PlanState row,
      Consumer<EntityState> written,
      Runnable turnedDown) {
    waiting.add(new Append(entity, facts, row, written, turnedDown));
  }

  boolean isIdle() {
    return waiting.isEmpty();
  }

  void turnDownNext() {
    if (!waiting.isEmpty()) {
      waiting.removeFirst().turnedDown().run();
    }
  }

  void commitNext() {
    if (waiting.isEmpty()) {
      return;
    }
    var next = waiting.removeFirst();
    EntityState own = null;
    var plans = new ArrayList<PlanState>();
    for (var fact : next.facts()) {
      for (var state : fold(next.entity(), fact)) {
        own = state.id().value().equals(next.entity()) ? state : own;
        if (state instanceof PlanState plan) {
          plans.add(plan);
        }
      }
    }
    if (next.row() != null && !next.row().equals(own)) {
      throw violation("history does not have what the ledger has: " + next.row() + " / " + own);
    }
    check();
    next.written().accept(own);
    plans.forEach(moved);
  }

  private List<EntityState> fold(String entity, StoredEvent event) {
    if (event instanceof JobFact.Succeeded won && won.contribution() != null) {
      contributions.merge("made", 1, Integer::sum);
    }
    if (event instanceof PlanFact.ChangesetClosed closed) {
      contributions.merge("made", 1, Integer::sum);
    }
    checkTurn(entity, event);
    if (event instanceof PlanFact.StepDropped(var step, var reason, var at)) {
      dropped.add(idOf((PlanState) find(entity), step));
    }
    log.add(new Logged(entity, event));
    var states = FactFolding.fold(live, entity, event);
    seen.merge(event.getClass().getSimpleName(), 1, Integer::sum);
    for (var state : states) {
      known.put(state.id().value(), state);
      if (state.ended()) {
        history.put(state.id().value(), state);
      } else {
        history.remove(state.id().value());
      }
    }
    return states;
  }

  EntityState find(String id) {
    return known.get(id);
  }

  List<EntityState> live() {
    var all = new ArrayList<EntityState>();
    known.keySet().forEach(id -> addLive(id, all));
    return all;
  }

  private void addLive(String id, List<EntityState> all) {
    var state = live.get(id);
    if (state != null) {
      all.add(state);
    }
  }

  /// Crashes: replays the log, and asserts that the replay gives the same states.
  void loseWhatIsNotWritten() {
    waiting.clear();
    var again = new LiveStates();
    log.forEach(logged -> FactFolding.fold(again, logged.entity(), logged.event()));
    for (var id : known.keySet()) {
      var before = live.get(id);
      if (before == null ? again.get(id) != null : !before.equals(again.get(id))) {
        throw violation("replay comes to something else: " + before + " / " + again.get(id));
      }
    }
    live = again;
  }

  /// Checks that a step starts only after its predecessors have succeeded, and never in an ended
  /// plan.
  private void checkTurn(String entity, StoredEvent event) {
    boolean begins =
        event instanceof JobFact.Released
            || event instanceof JobFact.Reopened
            || event instanceof PlanFact.Released
            || event instanceof PlanFact.Reopened;
    var origin = begins ? originOf(find(entity)) : null;
    if (origin == null) {
      return;
    }
    var plan = (PlanState) live.get(origin.plan());
    if (plan == null || plan.isOver()) {
      throw violation("step %s begins, and its plan is over".formatted(origin.step()));
    }
    var spec =
        plan.spec().steps().stream()
            .filter(step -> step.name().equals(origin.step()))
            .findFirst()
            .orElseThrow();
    for (var before : spec.after()) {
      if (status(plan, before) != PlanInfo.StepStatus.SUCCEEDED) {
        throw violation("step %s begins before %s".formatted(origin.step(), before));
      }
    }
  }

  private record Place(String plan, String step) {}

  private static @Nullable Place originOf(EntityState state) {
    if (state instanceof JobState job) {
      return new Place(job.spec().origin().plan(), job.spec().origin().step());
    }
    var origin = ((PlanState) state).spec().origin();
    return origin == null ? null : new Place(origin.parent().value(), origin.step());
  }

  private static String idOf(PlanState plan, String name) {
    var step =
        plan.spec().steps().stream().filter(one -> one.name().equals(name)).findFirst().get();
    return step.job() == null ? step.plan().value() : step.job().value();
  }

  private static PlanInfo.StepStatus status(PlanState plan, String step) {
    return plan.steps().find(step).orElseThrow().status();
  }

  private void check() {
    known.values().stream()
        .filter(PlanState.class::isInstance)
        .map(PlanState.class::cast)
        .forEach(this::check);
  }

  private void check(PlanState plan) {
    int active = 0;
    for (var step : plan.spec().steps()) {
      var id = idOf(plan, step.name());
      var state = known.get(id);
      var status = status(plan, step.name());
      var is = statusOf(state, status);
      boolean again = plan.steps().find(step.name()).orElseThrow().again();
      boolean agrees =
          status == is
              || status == PlanInfo.StepStatus.WAITING && again && state.ended()
              || status == PlanInfo.StepStatus.CANCELLED
                  && is == PlanInfo.StepStatus.FAILED
                  && dropped.contains(id);
      if (!agrees) {
        throw violation("plan %s has %s as %s, which is %s".formatted(plan, step, status, is));
      }
      active += is == PlanInfo.StepStatus.RELEASED ? 1 : 0;
      if (plan.isOver() && !state.ended()) {
        throw violation("plan %s is over, and step %s is not".formatted(plan.id(), step));
      }
    }
    if (active > plan.spec().maxParallel()) {
      throw violation("%d steps of plan %s run at once".formatted(active, plan));
    }
    if (plan.recalled() && !plan.isOver()) {
      throw violation("recalled, and not over: " + plan);
    }
    if (plan.book().applying() != null && plan.ended()) {
      throw violation("in history, and being applied: " + plan);
    }
    var link = dev.handoff.internal.plan.change.ChainHash.NONE;
    for (var set : plan.book().chain()) {
      if (!set.follows(link)) {
        throw violation("the chain is broken at " + set);
      }
      link = set.hash();
    }
    if (plan.spec().isRoot()
        && plan.book().chain().size() != contributions.getOrDefault("made", 0)) {
      throw violation("changes were made that are not in the chain, or the other way round");
    }
  }

  /// @param told status of the step according to its plan
  private static PlanInfo.StepStatus statusOf(EntityState state, PlanInfo.StepStatus told) {
    return switch (state) {
      case JobState job ->
          switch (job.phase()) {
            case JobPhase.Waiting held -> PlanInfo.StepStatus.WAITING;
            case JobPhase.Succeeded won -> PlanInfo.StepStatus.SUCCEEDED;
            case JobPhase.Failed failed -> PlanInfo.StepStatus.FAILED;
            case JobPhase.Cancelled cancelled -> PlanInfo.StepStatus.CANCELLED;
            case JobPhase live -> PlanInfo.StepStatus.RELEASED;
          };
      case PlanState plan ->
          switch (plan.phase()) {
            case PlanPhase.Succeeded won -> PlanInfo.StepStatus.SUCCEEDED;
            case PlanPhase.Failed failed -> PlanInfo.StepStatus.FAILED;
            case PlanPhase.Cancelled cancelled -> PlanInfo.StepStatus.CANCELLED;
            case PlanPhase.Waiting held -> PlanInfo.StepStatus.WAITING;
            case PlanPhase.Running running -> PlanInfo.StepStatus.RELEASED;
            // A child plan can be stopped before its release.
            case PlanPhase.Stopping stopping ->
                told == PlanInfo.StepStatus.WAITING ? told : PlanInfo.StepStatus.RELEASED;
          };
      default -> throw new IllegalStateException();
    };
  }

  void checkTheEnd() {
    check();
    if (known.size() != history.size()) {
      throw violation("something is neither live nor in history");
    }
  }

  Map<String, Integer> seen() {
    return seen;
  }

  private AssertionError violation(String what) {
    var last = log.subList(Math.max(0, log.size() - 12), log.size());
    var told = new StringBuilder(what);
    last.forEach(logged -> told.append("\n  ").append(logged));
    return new AssertionError(told.toString());
  }
}
