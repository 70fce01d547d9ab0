package dev.handoff.internal.facade;

import dev.handoff.InvalidRequestException;
import dev.handoff.UnavailableException;
import dev.handoff.breaker.BreakerChange;
import dev.handoff.breaker.BreakerCommands;
import dev.handoff.breaker.BreakerInfo;
import dev.handoff.breaker.BreakerOpenException;
import dev.handoff.breaker.CallTimedOutException;
import dev.handoff.breaker.ChangesMissedException;
import dev.handoff.breaker.GuardedCode;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.breaker.Breaker;
import dev.handoff.internal.breaker.Breakers;
import dev.handoff.internal.breaker.CallOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.stream.BufferOverflowException;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Source;

/// Public API of the breakers: converts call outcomes into values and exceptions.
public record EngineBreakers(RunningEngine engine) implements BreakerCommands {

  /// Maximum number of changes that wait for a watcher.
  static final int MOST_WAITING = 1_024;

  @Override
  public <T> CompletionStage<T> call(String name, Callable<CompletionStage<T>> code) {
    return call(name, timeout(), never(), token -> code.call());
  }

  @Override
  public <T> CompletionStage<T> callBlocking(String name, Callable<T> code) {
    return call(name, timeout(), never(), token -> CompletableFuture.completedStage(code.call()));
  }

  @Override
  public <T> CompletionStage<T> call(
      String name, Duration deadline, CancellationToken stop, GuardedCode<T> code) {
    SubmissionRules.checkName("breaker", name);
    var thrown = new CompletableFuture<Throwable>();
    var result = new AnswerStage<T>();
    engine
        .doors()
        .guarded()
        .call(name, deadline, stop, code, thrown::complete)
        .thenAccept(outcome -> complete(result, name, outcome, thrown));
    return result;
  }

  /// Completes the stage directly: a dependent stage would wrap the exception in a
  /// `CompletionException`.
  private static <T> void complete(
      CompletableFuture<T> result,
      String name,
      CallOutcome<T> outcome,
      CompletionStage<Throwable> thrown) {
    switch (outcome) {
      case CallOutcome.Returned<T>(var value, var took) -> result.complete(value);
      case CallOutcome.Threw<T> threw -> thrown.thenAccept(result::completeExceptionally);
      case CallOutcome.TimedOut<T>(var after) ->
          result.completeExceptionally(new CallTimedOutException(name, after));
      case CallOutcome.Rejected<T>(var retryAt, var reason) ->
          result.completeExceptionally(new BreakerOpenException(name, retryAt, reason));
      case CallOutcome.Stopped<T>(var why) ->
          result.completeExceptionally(new CancelledException(why));
      case CallOutcome.Refused<T>(var reason) ->
          result.completeExceptionally(
              new UnavailableException("the call \"%s\" was not made: %s".formatted(name, reason)));
    }
  }

  private Duration timeout() {
    return engine.settings().breakers().callTimeout();
  }

  private static CancellationToken never() {
    return new CancellationSource().token();
  }

  @Override
  public CompletionStage<List<BreakerInfo>> list() {
    return AnswerStage.of(all(Breaker.Order.LOOK));
  }

  @Override
  public CompletionStage<List<BreakerInfo>> resetAll() {
    return AnswerStage.of(all(Breaker.Order.RESET));
  }

  private CompletionStage<List<BreakerInfo>> all(Breaker.Order order) {
    return engine
        .calls()
        .<Breakers.Command, Breakers.All>ask(
            breakers(), replyTo -> new Breakers.SteerAll(order, replyTo))
        .thenApply(Breakers.All::breakers);
  }

  @Override
  public CompletionStage<Optional<BreakerInfo>> get(String name) {
    return AnswerStage.of(ask(name, Breaker.Order.LOOK).thenApply(EngineBreakers::found));
  }

  private static Optional<BreakerInfo> found(Breakers.Reply reply) {
    return switch (reply) {
      case Breakers.Found(var info) -> Optional.of(info);
      case Breakers.NotFound none -> Optional.empty();
      case Breakers.NotPossible(var reason) -> throw new UnavailableException(reason);
    };
  }

  @Override
  public CompletionStage<BreakerInfo> reset(String name) {
    return AnswerStage.of(steer(name, Breaker.Order.RESET));
  }

  @Override
  public CompletionStage<BreakerInfo> forceOpen(String name) {
    return AnswerStage.of(steer(name, Breaker.Order.FORCE_OPEN));
  }

  @Override
  public CompletionStage<BreakerInfo> disable(String name) {
    return AnswerStage.of(steer(name, Breaker.Order.DISABLE));
  }

  @Override
  public CompletionStage<BreakerInfo> automatic(String name) {
    return AnswerStage.of(steer(name, Breaker.Order.AUTOMATIC));
  }

  private CompletionStage<BreakerInfo> steer(String name, Breaker.Order order) {
    return ask(name, order)
        .thenCompose(
            reply ->
                switch (reply) {
                  case Breakers.Found(var info) -> CompletableFuture.completedStage(info);
                  case Breakers.NotFound none ->
                      all(Breaker.Order.LOOK).thenApply(all -> missing(name, all));
                  case Breakers.NotPossible(var reason) -> throw new UnavailableException(reason);
                });
  }

  private static BreakerInfo missing(String name, List<BreakerInfo> all) {
    var known = all.stream().map(BreakerInfo::name).collect(Collectors.joining(", "));
    throw new InvalidRequestException(
        List.of(
            "breaker \"%s\" does not exist; known: %s"
                .formatted(name, known.isEmpty() ? "none, before something is called" : known)));
  }

  private CompletionStage<Breakers.Reply> ask(String name, Breaker.Order order) {
    SubmissionRules.checkName("breaker", name);
    return engine.calls().ask(breakers(), replyTo -> new Breakers.Steer(name, order, replyTo));
  }

  private ActorRef<Breakers.Command> breakers() {
    return engine.doors().guarded().breakers();
  }

  @Override
  public Source<BreakerChange, NotUsed> changes() {
    Source<BreakerChange, NotUsed> source =
        Source.<BreakerChange>actorRef(
                never -> Optional.empty(),
                never -> Optional.empty(),
                MOST_WAITING,
                OverflowStrategy.fail())
            .mapMaterializedValue(
                watcher -> {
                  breakers().tell(new Breakers.Subscribe(Adapter.toTyped(watcher)));
                  return NotUsed.getInstance();
                });
    return engine
        .streams()
        .whileRunning(
            source.mapError(
                BufferOverflowException.class,
                tooSlow -> new ChangesMissedException(MOST_WAITING)));
  }
}
