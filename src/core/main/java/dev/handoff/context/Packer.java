package dev.handoff.context;

import java.util.List;
import java.util.Map;

/// Pipeline part that selects the fragments. The selection never exceeds the pool.
@FunctionalInterface
public non-sealed interface Packer extends PipelinePart {

  /// @param shares per strategy name
  PartResult<ContextFragment> pack(
      List<Scorer.Scored> scored, Map<String, Integer> shares, int pool, TokenCounter tokens);
}
