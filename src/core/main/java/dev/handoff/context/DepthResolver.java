package dev.handoff.context;

import java.util.List;

/// Pipeline part that reduces the fragments of each resource to one candidate and proposes its
/// depth.
@FunctionalInterface
public non-sealed interface DepthResolver extends PipelinePart {
  List<Candidate> resolve(List<FoundFragment> found, int pool, TokenCounter tokens);

  /// A resource that is eligible for the context.
  ///
  /// @param found the most relevant fragment, with the texts of all fragments per depth
  /// @param depth proposed depth
  record Candidate(FoundFragment found, SearchDepth depth) {}
}
