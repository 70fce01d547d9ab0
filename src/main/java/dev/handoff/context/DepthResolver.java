package dev.handoff.context;

import java.util.List;

/// Makes one candidate of all that was found of a resource, and says how deep it should be shown.
@FunctionalInterface
public non-sealed interface DepthResolver extends Part {
  List<Candidate> resolve(List<Found> found, int pool, TokenCounter tokens);

  /// A resource that may go into the context.
  ///
  /// @param found its most relevant fragment, with every depth that any of them has
  /// @param depth how deep it should be shown
  record Candidate(Found found, Depth depth) {}
}
