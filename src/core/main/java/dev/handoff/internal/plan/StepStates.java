package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.plan.PlanInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// States of a plan's steps, in the order of the specification. Immutable. Versions share
/// structure: a plan may have ten thousand steps, and each fact of a step makes a version.
public final class StepStates {

  private final PersistentList<StepState> states;
  private final Map<String, Integer> positions;
  private final int[] counts;

  private StepStates(
      PersistentList<StepState> states, Map<String, Integer> positions, int[] counts) {
    this.states = states;
    this.positions = positions;
    this.counts = counts;
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static StepStates of(List<StepState> states) {
    Map<String, Integer> positions = new HashMap<>();
    for (var state : states) {
      positions.put(state.name(), positions.size());
    }
    return of(states, positions);
  }

  private static StepStates of(List<StepState> states, Map<String, Integer> positions) {
    var counts = new int[PlanInfo.StepStatus.values().length];
    states.forEach(state -> counts[state.status().ordinal()]++);
    return new StepStates(PersistentList.of(states), positions, counts);
  }

  static StepStates of(PlanSpec spec) {
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

  public int count(PlanInfo.StepStatus status) {
    return counts[status.ordinal()];
  }

  public boolean allEnded() {
    return count(PlanInfo.StepStatus.WAITING) + count(PlanInfo.StepStatus.RELEASED) == 0;
  }

  /// Version with one step changed; the same version if the step is unknown.
  StepStates with(String name, UnaryOperator<StepState> change) {
    var at = positions.get(name);
    if (at == null) {
      return this;
    }
    var before = states.get(at);
    var after = change.apply(before);
    var counted = counts.clone();
    counted[before.status().ordinal()]--;
    counted[after.status().ordinal()]++;
    return new StepStates(states.with(at, after), positions, counted);
  }

  StepStates reopened() {
    return of(states.stream().map(StepState::reopened).toList(), positions);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StepStates steps && states.equals(steps.states);
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
