package dev.handoff.context;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/// A search method for context. Strategies run in parallel, each behind the breaker of its name. A
/// strategy that fails or times out costs only its own results.
public interface Strategy {

  /// Unique name: letters, digits, `.`, `_`, `:` and `-`, at most 128 characters.
  String name();

  /// Expected usefulness for a request, from 0 (none) to 1. Called often, from any thread; must not
  /// block.
  ///
  /// @param backends available data sources
  double confidence(ContextRequest request, Set<ContextRequest.Backend> backends);

  /// Backends that the strategy requires.
  default Set<ContextRequest.Backend> needs() {
    return Set.of(ContextRequest.Backend.FILES);
  }

  /// Searches for context. Runs on its own virtual thread: the method may block or return an
  /// incomplete stage. After a cancel of the call's token, the strategy should stop soon; the
  /// engine also interrupts the thread and cancels the stage.
  ///
  /// @return fragments, most relevant first
  CompletionStage<List<Fragment>> gather(StrategyCall call) throws Exception;
}
