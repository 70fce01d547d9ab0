package dev.handoff.context;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.workspace.WorkspaceView;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/// What a strategy is given for one request.
public interface StrategyCall {

  ContextRequest request();

  /// The files, as they were when the request began. Not to be used after the call is over.
  WorkspaceView workspace();

  /// How many tokens of the budget are meant for this strategy. More may be found; what does not
  /// fit competes for what others leave.
  int share();

  /// Cancelled when the request is, or the time of this call is over.
  CancellationToken cancellation();

  /// Lets other strategies look, each behind its own breaker, for a request that may differ in its
  /// words. Those that fail are left out.
  ///
  /// @param strategies their names; those that are not there are left out, and so is the caller
  /// @return what they found together
  CompletionStage<List<Fragment>> ask(ContextRequest request, Set<String> strategies);
}
