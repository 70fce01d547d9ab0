package dev.handoff.context;

import dev.handoff.cancel.CancellationToken;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/// Input of a strategy for one request.
public interface StrategyCall {

  ContextRequest request();

  /// Snapshot of the files at the start of the request. Invalid after the call.
  WorkspaceView workspace();

  /// Tokens allocated to this strategy. A strategy may return more; the excess competes for unused
  /// shares.
  int share();

  /// Token that is cancelled with the request and at the deadline of this call.
  CancellationToken cancellation();

  /// Runs other strategies, each behind its own breaker, possibly with a different query. Results
  /// of failed strategies are omitted.
  ///
  /// @param strategies names; unknown names and the calling strategy are ignored
  /// @return combined fragments
  CompletionStage<List<Fragment>> ask(ContextRequest request, Set<String> strategies);
}
