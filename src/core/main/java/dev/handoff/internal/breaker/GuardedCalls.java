package dev.handoff.internal.breaker;

import dev.handoff.breaker.GuardedCode;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;

/// Runs code behind named breakers: acquires a permit, runs the code on its own virtual thread with
/// a deadline, stops it on time-out or cancel, and reports the result once. Thread-safe.
public final class GuardedCalls {

  private final ActorQuestions questions;
  private final ActorRef<Breakers.Command> breakers;
  private final CancellationToken ending;

  /// @param ending cancelled when the breakers stop
  public GuardedCalls(
      ActorQuestions questions, ActorRef<Breakers.Command> breakers, CancellationToken ending) {
    this.questions = questions;
    this.breakers = breakers;
    this.ending = ending;
  }

  /// Registry behind these calls.
  public ActorRef<Breakers.Command> breakers() {
    return breakers;
  }

  /// Makes a call if the breaker permits it. The stage never fails. The breaker gets its report
  /// before the stage completes, so that a following call sees the effect. Dependent stages of this
  /// engine stage must not block.
  ///
  /// @param deadline time limit of the call, from its permit on
  /// @param stop cancelled when the caller no longer needs the result; counts neither as success
  ///   nor as failure
  public <T> CompletionStage<CallOutcome<T>> call(
      String name, Duration deadline, CancellationToken stop, GuardedCode<T> body) {
    return call(name, deadline, stop, body, ignored -> {});
  }

  /// Like the other `call`, with access to the original exception.
  ///
  /// @param thrown receives the exception before the stage completes with [CallOutcome.Threw]; must
  ///   not block
  public <T> CompletionStage<CallOutcome<T>> call(
      String name,
      Duration deadline,
      CancellationToken stop,
      GuardedCode<T> body,
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
