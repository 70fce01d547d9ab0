package dev.handoff.internal.context.strategy;

import dev.handoff.context.Strategy;
import java.util.List;

/// Built-in strategies. `handoff.context.strategies` enables them.
public final class BuiltInStrategies {

  private BuiltInStrategies() {}

  /// Creates all strategies. They are stateless and may be shared.
  public static List<Strategy> all() {
    return List.of(
        new SimpleKeyword(),
        new SemanticEmbedding(),
        new BreadthDepthNavigator(),
        new Arce(),
        new TemporalArchaeology(),
        new PlanDecisionContext());
  }
}
