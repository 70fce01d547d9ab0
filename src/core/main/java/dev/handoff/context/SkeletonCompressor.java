package dev.handoff.context;

import java.util.List;

/// Pipeline part that compresses the parent plan's context to names and single lines.
@FunctionalInterface
public non-sealed interface SkeletonCompressor extends PipelinePart {

  /// @param most token limit of the result
  List<ContextFragment> compress(List<ContextFragment> parent, int most, TokenCounter tokens);
}
