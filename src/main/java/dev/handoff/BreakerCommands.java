package dev.handoff;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.breaker.BreakerChange;
import dev.handoff.context.breaker.BreakerInfo;
import dev.handoff.context.breaker.GuardedCalls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/// The circuit breakers of an engine: calls behind them, what they are, and what can be asked of
/// them. A breaker comes to life with its name.
///
/// A call runs on a virtual thread of its own. Its stage fails with what the code itself has failed
/// with; with a [BreakerOpenException] if it was not made; with a [CallTimedOutException] when its
/// deadline is over, a [dev.handoff.cancel.CancelledException] when it was stopped, and an
/// [UnavailableException] if there can be no breaker, or the engine has ended. By then the breaker
/// knows how the call went.
public interface BreakerCommands {

  /// Calls what returns a stage, for at most `breakers.call-timeout`.
  <T> CompletionStage<T> call(String name, Callable<CompletionStage<T>> code);

  /// Calls what blocks, for at most `breakers.call-timeout`; then its thread is interrupted.
  <T> CompletionStage<T> callBlocking(String name, Callable<T> code);

  /// Calls with a deadline, and with a token that stops the call from outside.
  ///
  /// @param deadline how long it may take; then the code's own token is cancelled, its thread
  ///   interrupted, and the stage that it returned cancelled
  /// @param stop such as the token of a job; a call that is stopped counts for nothing
  /// @param code is handed its own token
  <T> CompletionStage<T> call(
      String name, Duration deadline, CancellationToken stop, GuardedCalls.Body<T> code);

  /// All breakers that there are, by name.
  CompletionStage<List<BreakerInfo>> list();

  /// The breaker of a name; empty if there is none.
  CompletionStage<Optional<BreakerInfo>> get(String name);

  /// Closes a breaker, whatever it was. Idempotent. Fails with an [InvalidRequestException] if
  /// there is none of that name.
  CompletionStage<BreakerInfo> reset(String name);

  /// Closes all of them. Idempotent.
  CompletionStage<List<BreakerInfo>> resetAll();

  /// Lets nothing through until [#automatic] or [#reset]. Idempotent; makes the breaker if there is
  /// none.
  CompletionStage<BreakerInfo> forceOpen(String name);

  /// Lets everything through, and still counts, until [#automatic] or [#reset]. Idempotent; makes
  /// the breaker if there is none.
  CompletionStage<BreakerInfo> disable(String name);

  /// Leaves a breaker to itself again, closed, that was forced open or disabled. Idempotent. Fails
  /// with an [InvalidRequestException] if there is none of that name.
  CompletionStage<BreakerInfo> automatic(String name);

  /// Changes of state from when the stream is run. A watcher that is too slow fails with a
  /// [ChangesMissedException]. Completes when the engine ends.
  Source<BreakerChange, NotUsed> changes();
}
