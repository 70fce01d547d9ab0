package dev.handoff.internal.facade;

import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.ask.AnswerStage;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Requests from the public API to the engine. Each request completes with an answer, with a time-
/// out, or with the end of the engine as soon as it happens.
public record EngineCalls(ActorQuestions questions) {

  /// Time-out of most requests.
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  /// Asks an actor. The stage fails only with an [UnavailableException].
  public <C, R> CompletionStage<R> ask(ActorRef<C> whom, Function<ActorRef<R>, C> message) {
    return ask(whom, message, PATIENCE);
  }

  public <C, R> CompletionStage<R> ask(
      ActorRef<C> whom, Function<ActorRef<R>, C> message, Duration patience) {
    return questions.ask(whom, message, patience, UnavailableException::new);
  }

  /// Asks an actor on behalf of the engine, and converts the reply on the thread where it arrives.
  ///
  /// @param told converter of the reply: short, and without user code
  public <C, R, T> CompletionStage<T> ask(
      ActorRef<C> whom,
      Function<ActorRef<R>, C> message,
      BiFunction<@Nullable R, @Nullable Throwable, T> told) {
    return questions.ask(whom, message, PATIENCE, UnavailableException::new, told);
  }

  /// Asks an actor on behalf of a user, and converts the reply on the thread where it arrives.
  ///
  /// @param told converter of the reply: short, and without user code
  public <C, R, T> AnswerStage<T> answer(
      ActorRef<C> whom,
      Function<ActorRef<R>, C> message,
      Duration patience,
      BiFunction<@Nullable R, @Nullable Throwable, T> told) {
    return questions.answer(whom, message, patience, UnavailableException::new, told);
  }

  /// Pause between two steps of the engine. The end of the engine ends the pause early.
  public CompletionStage<ActorQuestions.PauseEnd> pause(Duration length) {
    return questions.pause(length);
  }

  /// Ends all requests and streams; the first given reason counts.
  public void end(String reason) {
    questions.end(reason);
  }

  /// Reason why requests are no longer answered; null while the engine runs.
  public @Nullable String over() {
    return questions.over();
  }
}
