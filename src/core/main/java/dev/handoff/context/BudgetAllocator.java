package dev.handoff.context;

import java.util.List;

/// Pipeline part that divides the token pool among the strategies.
@FunctionalInterface
public non-sealed interface BudgetAllocator extends PipelinePart {

  /// @return a share per chosen strategy; the sum is at most the pool
  List<Share> allocate(int pool, List<StrategySelector.Chosen> chosen);

  /// Tokens reserved for a strategy. Its further fragments compete for unused shares of others.
  record Share(StrategySelector.Chosen chosen, int tokens) {}
}
