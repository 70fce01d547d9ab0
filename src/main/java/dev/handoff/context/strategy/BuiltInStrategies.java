package dev.handoff.context.strategy;

import dev.handoff.context.Strategy;
import java.util.List;

/// The strategies that Handoff comes with. Which of them are on is a setting:
/// `handoff.context.strategies`.
public final class BuiltInStrategies {

  private BuiltInStrategies() {}

  /// New ones; they have no state, and may be shared.
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
