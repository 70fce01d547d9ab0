package dev.handoff.internal.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Cycle detection for step graphs. Iterative, because chains of steps may be long.
final class StepCycle {

  private StepCycle() {}

  /// Steps of a cycle in execution order, with the first step repeated at the end; empty for an
  /// acyclic graph.
  static List<String> in(Map<String, List<String>> after) {
    Set<String> done = new HashSet<>();
    for (var start : after.keySet()) {
      var found = from(start, after, done);
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }

  private static List<String> from(
      String start, Map<String, List<String>> after, Set<String> done) {
    var way = new ArrayList<String>();
    var next = new ArrayList<Integer>();
    Set<String> onWay = new HashSet<>();
    if (done.contains(start)) {
      return List.of();
    }
    way.add(start);
    next.add(0);
    onWay.add(start);
    while (!way.isEmpty()) {
      var at = way.getLast();
      int branch = next.removeLast();
      if (branch == after.get(at).size()) {
        way.removeLast();
        onWay.remove(at);
        done.add(at);
        continue;
      }
      next.add(branch + 1);
      var before = after.get(at).get(branch);
      if (onWay.contains(before)) {
        var circle = new ArrayList<>(way.subList(way.indexOf(before), way.size()));
        circle.add(before);
        return circle.reversed();
      }
      if (!done.contains(before)) {
        way.add(before);
        next.add(0);
        onWay.add(before);
      }
    }
    return List.of();
  }
}
