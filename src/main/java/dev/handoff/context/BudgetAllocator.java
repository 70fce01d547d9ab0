package dev.handoff.context;

import java.util.List;

/// Shares the tokens out.
@FunctionalInterface
public non-sealed interface BudgetAllocator extends Part {

  /// @return a share for each, together at most the pool
  List<Share> allocate(int pool, List<StrategySelector.Chosen> chosen);

  /// What a strategy may take before it competes for what others leave.
  record Share(StrategySelector.Chosen chosen, int tokens) {}
}
