package dev.handoff;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Scheduler;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.jspecify.annotations.Nullable;

/// The questions to an engine that wait for their answers. Whoever asks hears something: the
/// answer, or that there is none in time, or that the engine has ended, as soon as it has.
final class Calls {

  /// How long most answers may take.
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Scheduler scheduler;
  private final Set<CompletableFuture<?>> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable String> over = new AtomicReference<>();

  Calls(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /// Asks an actor. Fails with an [UnavailableException] and with nothing else.
  <C, R> CompletionStage<R> ask(ActorRef<C> whom, Function<ActorRef<R>, C> message) {
    return ask(whom, message, PATIENCE);
  }

  <C, R> CompletionStage<R> ask(
      ActorRef<C> whom, Function<ActorRef<R>, C> message, Duration patience) {
    var answer = new CompletableFuture<R>();
    waiting.add(answer);
    try {
      if (over() == null) {
        AskPattern.<C, R>ask(whom, message::apply, patience, scheduler)
            .whenComplete((reply, failure) -> complete(answer, reply, patience));
      }
    } catch (IllegalStateException systemIsGone) {
      end("its actor system has ended");
    }
    var ended = over();
    if (ended != null) {
      fail(answer, ended);
    }
    return answer;
  }

  private <R> void complete(CompletableFuture<R> answer, @Nullable R reply, Duration patience) {
    waiting.remove(answer);
    if (reply == null) {
      fail(answer, "no answer within " + patience.toSeconds() + " s");
    } else {
      answer.complete(reply);
    }
  }

  private void fail(CompletableFuture<?> answer, String reason) {
    waiting.remove(answer);
    answer.completeExceptionally(new UnavailableException(reason));
  }

  /// The engine has ended, for the first reason that is given: nobody waits any longer.
  void end(String reason) {
    over.compareAndSet(null, reason);
    var first = over.get();
    waiting.forEach(answer -> fail(answer, first));
  }

  /// Why nothing is answered any more; null while the engine goes on.
  @Nullable String over() {
    return over.get();
  }
}
