package dev.handoff.internal.plan.capture;

import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.change.Changeset;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Predecessors of a step, direct and indirect, with their distances; a direct predecessor has
/// distance 1. Predecessors of the enclosing plans count too, and so do all steps inside a
/// preceding child plan.
///
/// @param distances distance per step path from the root plan
public record EarlierSteps(Map<String, Integer> distances) {

  /// Position of a step in one plan.
  public record Place(PlanSpec plan, String step) {}

  public EarlierSteps {
    distances = Collections.unmodifiableMap(new TreeMap<>(distances));
  }

  /// @param places position of the step in its plan, of that plan in its parent, and so on up to
  ///   the root
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

  /// Distance of a step; empty if it is no predecessor.
  ///
  /// @param path path of the step from the root plan
  public OptionalInt distance(String path) {
    for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
      var distance = distances.get(path.substring(0, end));
      if (distance != null) {
        return OptionalInt.of(distance);
      }
    }
    return OptionalInt.empty();
  }

  /// Changesets that these steps have committed, in order.
  public List<Changeset> sets(List<Changeset> chain) {
    return chain.stream()
        .filter(set -> set.by().step() != null && distance(set.by().step()).isPresent())
        .toList();
  }
}
