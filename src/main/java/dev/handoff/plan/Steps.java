package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Where the steps of a plan stand, in the order of its specification. Immutable; versions of it
/// share what they can, for a plan may have ten thousand steps.
public final class Steps {

  private final StepState[] states;
  private final Map<String, Integer> positions;
  private final int[] counts;

  private Steps(StepState[] states, Map<String, Integer> positions, int[] counts) {
    this.states = states;
    this.positions = positions;
    this.counts = counts;
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Steps of(List<StepState> states) {
    Map<String, Integer> positions = new HashMap<>();
    for (var state : states) {
      positions.put(state.name(), positions.size());
    }
    return new Steps(states.toArray(StepState[]::new), positions, counts(states));
  }

  private static int[] counts(List<StepState> states) {
    var counts = new int[StepStatus.values().length];
    states.forEach(state -> counts[state.status().ordinal()]++);
    return counts;
  }

  static Steps of(PlanSpec spec) {
    return of(spec.steps().stream().map(step -> StepState.waiting(step.name())).toList());
  }

  @JsonValue
  public List<StepState> all() {
    return List.of(states);
  }

  public Optional<StepState> find(String name) {
    return Optional.ofNullable(positions.get(name)).map(at -> states[at]);
  }

  StepState at(int position) {
    return states[position];
  }

  public int size() {
    return states.length;
  }

  public int count(StepStatus status) {
    return counts[status.ordinal()];
  }

  public boolean allEnded() {
    return count(StepStatus.WAITING) + count(StepStatus.RELEASED) == 0;
  }

  /// With one step changed; the same if there is no such step.
  Steps with(String name, UnaryOperator<StepState> change) {
    var at = positions.get(name);
    if (at == null) {
      return this;
    }
    var next = states.clone();
    next[at] = change.apply(states[at]);
    var counted = counts.clone();
    counted[states[at].status().ordinal()]--;
    counted[next[at].status().ordinal()]++;
    return new Steps(next, positions, counted);
  }

  Steps reopened() {
    var next = new ArrayList<StepState>();
    for (var state : states) {
      next.add(state.reopened());
    }
    return new Steps(next.toArray(StepState[]::new), positions, counts(next));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Steps steps && Arrays.equals(states, steps.states);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(states);
  }

  @Override
  public String toString() {
    return Arrays.toString(states);
  }
}
