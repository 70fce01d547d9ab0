package dev.handoff.internal.context.strategy;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Sum of weights per file, with the main reason.
final class FileRanking {

  /// @param because reason of the largest single weight
  record Ranked(String path, double value, String because) {}

  private record Reason(double value, String because) {}

  private final Map<String, Double> values = new HashMap<>();
  private final Map<String, Reason> reasons = new HashMap<>();

  void add(String path, double value, String because) {
    values.merge(path, value, Double::sum);
    reasons.merge(
        path, new Reason(value, because), (old, other) -> other.value > old.value ? other : old);
  }

  double of(String path) {
    return values.getOrDefault(path, 0.0);
  }

  /// Files with the highest sums, best first; ties by path.
  List<Ranked> best(int most) {
    return values.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .sorted(
            Comparator.comparingDouble((Map.Entry<String, Double> entry) -> -entry.getValue())
                .thenComparing(Map.Entry::getKey))
        .limit(most)
        .map(entry -> ranked(entry.getKey(), entry.getValue()))
        .toList();
  }

  private Ranked ranked(String path, double value) {
    var reason = reasons.get(path);
    return new Ranked(path, value, reason == null ? "" : reason.because());
  }
}
