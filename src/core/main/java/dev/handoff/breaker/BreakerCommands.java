package dev.handoff.breaker;

import dev.handoff.InvalidRequestException;
import dev.handoff.UnavailableException;
import dev.handoff.cancel.CancellationToken;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/// Circuit breakers of an engine: protected calls, state, and manual control. A breaker is created
/// at the first use of its name.
///
/// A call runs on its own virtual thread. Its stage fails with the exception of the code; with a
/// [BreakerOpenException] if the breaker rejected the call; with a [CallTimedOutException] at the
/// deadline; with a [dev.handoff.cancel.CancelledException] if the call was stopped; and with an
/// [UnavailableException] if no breaker can be created or the engine has ended. The breaker counts
/// the call before the stage completes.
public interface BreakerCommands {

  /// Makes an asynchronous call, for at most `breakers.call-timeout`.
  <T> CompletionStage<T> call(String name, Callable<CompletionStage<T>> code);

  /// Makes a blocking call, for at most `breakers.call-timeout`; then its thread is interrupted.
  <T> CompletionStage<T> callBlocking(String name, Callable<T> code);

  /// Makes a call with a deadline and with a token that stops the call from outside.
  ///
  /// @param deadline time limit of the call; at the limit the code's own token is cancelled, its
  ///   thread interrupted, and the returned stage cancelled
  /// @param stop token that stops the call, for example the token of a job; a stopped call is not
  ///   counted
  /// @param code protected code; receives its own token
  <T> CompletionStage<T> call(
      String name, Duration deadline, CancellationToken stop, GuardedCode<T> code);

  /// All existing breakers, by name.
  CompletionStage<List<BreakerInfo>> list();

  /// Breaker with this name; empty if it does not exist.
  CompletionStage<Optional<BreakerInfo>> get(String name);

  /// Closes a breaker in any state. Idempotent. The stage fails with an [InvalidRequestException]
  /// if the breaker does not exist.
  CompletionStage<BreakerInfo> reset(String name);

  /// Closes all breakers. Idempotent.
  CompletionStage<List<BreakerInfo>> resetAll();

  /// Rejects all calls until [#automatic] or [#reset]. Idempotent; creates a missing breaker.
  CompletionStage<BreakerInfo> forceOpen(String name);

  /// Lets all calls through, and still counts them, until [#automatic] or [#reset]. Idempotent;
  /// creates a missing breaker.
  CompletionStage<BreakerInfo> disable(String name);

  /// Ends a forced-open or disabled state; the breaker is closed and automatic again. Idempotent.
  /// The stage fails with an [InvalidRequestException] if the breaker does not exist.
  CompletionStage<BreakerInfo> automatic(String name);

  /// State changes of breakers, from the moment when the stream is run. The stream fails with a
  /// [ChangesMissedException] for a watcher that is too slow, and completes when the engine ends.
  Source<BreakerChange, NotUsed> changes();
}
