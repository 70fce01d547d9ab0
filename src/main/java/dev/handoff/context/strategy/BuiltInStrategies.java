package dev.handoff.context.strategy;

import dev.handoff.context.StrategySelector;
import java.util.List;

/// The strategies that Handoff comes with, and whether they are on by default.
public final class BuiltInStrategies {

  private BuiltInStrategies() {}

  /// New ones; they have no state, and may be shared.
  public static List<StrategySelector.Candidate> all() {
    return List.of(
        new StrategySelector.Candidate(new SimpleKeyword(), true),
        new StrategySelector.Candidate(new SemanticEmbedding(), true),
        new StrategySelector.Candidate(new BreadthDepthNavigator(), true),
        new StrategySelector.Candidate(new Arce(), false),
        new StrategySelector.Candidate(new TemporalArchaeology(), false));
  }
}
