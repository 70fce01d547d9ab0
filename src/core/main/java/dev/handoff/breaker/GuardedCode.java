package dev.handoff.breaker;

import dev.handoff.cancel.CancellationToken;
import java.util.concurrent.CompletionStage;

/// Code behind a circuit breaker. It may block or return an incomplete stage.
///
/// @param <T> result of the call
@FunctionalInterface
public interface GuardedCode<T> {

  /// @param token cancelled at the deadline and on a stop; then the thread is interrupted and the
  ///   returned stage is cancelled
  CompletionStage<T> run(CancellationToken token) throws Exception;
}
