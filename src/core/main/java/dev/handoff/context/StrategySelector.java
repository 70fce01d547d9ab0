package dev.handoff.context;

import java.util.List;
import java.util.Set;

/// Pipeline part that chooses the strategies for a request.
@FunctionalInterface
public non-sealed interface StrategySelector extends PipelinePart {

  /// @param known all registered strategies by name, including disabled strategies
  Selection select(ContextRequest request, List<Candidate> known, Set<Backend> backends);

  /// A registered strategy.
  ///
  /// @param on whether requests use the strategy without naming it
  record Candidate(Strategy strategy, boolean on) {}

  /// A chosen strategy.
  record Chosen(Strategy strategy, double confidence) {}

  /// A strategy that was not chosen.
  record Skipped(String strategy, double confidence, String reason) {}

  /// @param chosen highest confidence first
  record Selection(List<Chosen> chosen, List<Skipped> skipped) {
    public Selection {
      chosen = List.copyOf(chosen);
      skipped = List.copyOf(skipped);
    }
  }
}
