package dev.handoff.context;

import java.util.List;
import java.util.Map;

/// Chooses what fits. Never takes more than the pool.
@FunctionalInterface
public non-sealed interface Packer extends Part {

  /// @param shares of the strategies, by name
  Sifted<ContextFragment> pack(
      List<Scorer.Scored> scored, Map<String, Integer> shares, int pool, TokenCounter tokens);
}
