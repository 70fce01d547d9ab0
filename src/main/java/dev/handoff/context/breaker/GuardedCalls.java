package dev.handoff.context.breaker;

import dev.handoff.actor.DurationWords;
import dev.handoff.ask.Questions;
import dev.handoff.cancel.CancellationToken;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;

/// Runs code behind the breaker of a name: asks for a permit, runs it with a deadline on a virtual
/// thread of its own, stops it when its time is over or nobody wants it any more, and reports what
/// became of it, once. Safe to use from any thread.
public final class GuardedCalls {

  /// What is called. It may block, and may return a stage that completes later.
  public interface Body<T> {
    /// @param token cancelled at the deadline, and when the call is stopped; then the thread is
    ///   interrupted, and the stage that was returned is cancelled
    CompletionStage<T> run(CancellationToken token) throws Exception;
  }

  private final Questions questions;
  private final ActorRef<Breakers.Command> breakers;
  private final CancellationToken ending;

  /// @param ending cancelled when the breakers end
  public GuardedCalls(
      Questions questions, ActorRef<Breakers.Command> breakers, CancellationToken ending) {
    this.questions = questions;
    this.breakers = breakers;
    this.ending = ending;
  }

  /// The breakers that calls are made behind.
  public ActorRef<Breakers.Command> breakers() {
    return breakers;
  }

  /// Calls, if the breaker lets it through. The stage never fails. It completes after the breaker
  /// was told, so that whoever calls next meets what followed from this call. It is the engine's
  /// own: what follows from it does not block.
  ///
  /// @param deadline how long the call may take, from its permit on
  /// @param stop cancelled when nobody wants the call any more: it counts for nothing then
  public <T> CompletionStage<CallOutcome<T>> call(
      String name, Duration deadline, CancellationToken stop, Body<T> body) {
    return call(name, deadline, stop, body, ignored -> {});
  }

  /// The same, for those who want to know what was thrown, as it was.
  ///
  /// @param thrown told before the stage completes with [CallOutcome.Threw]; must not block
  public <T> CompletionStage<CallOutcome<T>> call(
      String name,
      Duration deadline,
      CancellationToken stop,
      Body<T> body,
      Consumer<Throwable> thrown) {
    if (deadline.compareTo(BreakerSettings.SHORTEST) < 0
        || deadline.compareTo(BreakerSettings.LONGEST) > 0) {
      return refused(
          "the deadline of a call must be 1ms to %s, was %s"
              .formatted(
                  DurationWords.exact(BreakerSettings.LONGEST), DurationWords.exact(deadline)));
    }
    if (ending.isCancelled()) {
      return refused("the engine has ended");
    }
    var why = stop.cancellation().orElse(null);
    return why == null
        ? new GuardedCall<>(name, deadline, body, thrown, questions).start(breakers, stop, ending)
        : done(new CallOutcome.Stopped<>(why));
  }

  private static <T> CompletionStage<CallOutcome<T>> refused(String reason) {
    return done(new CallOutcome.Refused<>(reason));
  }

  private static <T> CompletionStage<CallOutcome<T>> done(CallOutcome<T> outcome) {
    return CompletableFuture.completedStage(outcome);
  }
}
