package dev.handoff.context;

import java.util.List;

/// Makes little of much: the context of a plan above, as names and single lines.
@FunctionalInterface
public non-sealed interface SkeletonCompressor extends Part {

  /// @param most tokens that the result may take
  List<ContextFragment> compress(List<ContextFragment> parent, int most, TokenCounter tokens);
}
