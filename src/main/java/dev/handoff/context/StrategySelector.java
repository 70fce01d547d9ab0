package dev.handoff.context;

import java.util.List;
import java.util.Set;

/// Decides which strategies look for a request.
@FunctionalInterface
public non-sealed interface StrategySelector extends Part {

  /// @param known those that are there, by name; those that are off are among them
  Selection select(ContextRequest request, List<Candidate> known, Set<Backend> backends);

  /// A strategy that is there.
  ///
  /// @param on whether it is used unless others are named
  record Candidate(Strategy strategy, boolean on) {}

  /// A strategy that looks.
  record Chosen(Strategy strategy, double confidence) {}

  /// A strategy that does not look.
  record Skipped(String strategy, double confidence, String reason) {}

  /// @param chosen the most confident first
  record Selection(List<Chosen> chosen, List<Skipped> skipped) {
    public Selection {
      chosen = List.copyOf(chosen);
      skipped = List.copyOf(skipped);
    }
  }
}
