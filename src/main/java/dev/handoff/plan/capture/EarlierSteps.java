package dev.handoff.plan.capture;

import dev.handoff.plan.PlanSpec;
import dev.handoff.plan.change.Changeset;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The steps that have to have succeeded before a step may start, and how near each of them is: 1
/// is directly before it. Those before the plan that the step is in belong to them, and so does
/// everything within a plan that is before it.
///
/// @param distances by the path of the step from the plan at the top
public record EarlierSteps(Map<String, Integer> distances) {

  /// Where a step is within one plan.
  public record Place(PlanSpec plan, String step) {}

  public EarlierSteps {
    distances = Collections.unmodifiableMap(new TreeMap<>(distances));
  }

  /// @param places of the step in its plan, of that plan in the one above, and so on up to the top
  public static EarlierSteps of(List<Place> places) {
    var distances = new HashMap<String, Integer>();
    int level = 0;
    for (var place : places) {
      add(place, level++, distances);
    }
    return new EarlierSteps(distances);
  }

  private static void add(Place place, int level, Map<String, Integer> distances) {
    var plan = place.plan();
    Map<String, PlanSpec.Step> steps =
        plan.steps().stream().collect(Collectors.toMap(PlanSpec.Step::name, Function.identity()));
    var found = new HashMap<>(Map.of(place.step(), level));
    var next = new ArrayDeque<>(List.of(place.step()));
    while (!next.isEmpty()) {
      var step = next.remove();
      for (var before : steps.get(step).after()) {
        if (found.putIfAbsent(before, found.get(step) + 1) == null) {
          distances.put(plan.path(before), found.get(before));
          next.add(before);
        }
      }
    }
  }

  /// How near a step is; empty if it is none of these.
  ///
  /// @param path of the step from the plan at the top
  public OptionalInt distance(String path) {
    for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
      var distance = distances.get(path.substring(0, end));
      if (distance != null) {
        return OptionalInt.of(distance);
      }
    }
    return OptionalInt.empty();
  }

  /// What these steps have committed, in order.
  public List<Changeset> sets(List<Changeset> chain) {
    return chain.stream()
        .filter(set -> set.by().step() != null && distance(set.by().step()).isPresent())
        .toList();
  }
}
