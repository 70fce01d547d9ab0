package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Where the steps of a plan stand, in the order of its specification. Immutable; versions of it
/// share what they can, for a plan may have ten thousand steps, and each fact of one makes a
/// version.
public final class Steps {

  private final SharingList<StepState> states;
  private final Map<String, Integer> positions;
  private final int[] counts;

  private Steps(SharingList<StepState> states, Map<String, Integer> positions, int[] counts) {
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
    return of(states, positions);
  }

  private static Steps of(List<StepState> states, Map<String, Integer> positions) {
    var counts = new int[StepStatus.values().length];
    states.forEach(state -> counts[state.status().ordinal()]++);
    return new Steps(SharingList.of(states), positions, counts);
  }

  static Steps of(PlanSpec spec) {
    return of(spec.steps().stream().map(step -> StepState.waiting(step.name())).toList());
  }

  @JsonValue
  public List<StepState> all() {
    return states;
  }

  public Optional<StepState> find(String name) {
    return position(name).map(states::get);
  }

  Optional<Integer> position(String name) {
    return Optional.ofNullable(positions.get(name));
  }

  StepState at(int position) {
    return states.get(position);
  }

  public int size() {
    return states.size();
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
    var before = states.get(at);
    var after = change.apply(before);
    var counted = counts.clone();
    counted[before.status().ordinal()]--;
    counted[after.status().ordinal()]++;
    return new Steps(states.with(at, after), positions, counted);
  }

  Steps reopened() {
    return of(states.stream().map(StepState::reopened).toList(), positions);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Steps steps && states.equals(steps.states);
  }

  @Override
  public int hashCode() {
    return states.hashCode();
  }

  @Override
  public String toString() {
    return states.toString();
  }
}
