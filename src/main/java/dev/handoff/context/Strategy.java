package dev.handoff.context;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/// One way to find context. Strategies run in parallel, each behind the breaker of its name: one
/// that fails, hangs or is too slow costs only what it would have found.
public interface Strategy {

  /// A name: letters, digits, `.`, `_`, `:` and `-`, at most 128.
  String name();

  /// How much is to be expected of it for this request, from 0 (nothing) to 1. Called often, from
  /// any thread; must not wait for anything.
  ///
  /// @param backends what there is to read
  double confidence(ContextRequest request, Set<Backend> backends);

  /// What it cannot work without.
  default Set<Backend> needs() {
    return Set.of(Backend.FILES);
  }

  /// Looks for context. Called on a virtual thread of its own: it may wait there, or give a stage
  /// that completes later. It should stop soon after the token of the call is cancelled; then the
  /// thread is interrupted and the stage is cancelled.
  ///
  /// @return what was found, the most relevant first
  CompletionStage<List<Fragment>> gather(StrategyCall call) throws Exception;
}
