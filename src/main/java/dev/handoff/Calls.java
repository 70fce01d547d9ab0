package dev.handoff;

import dev.handoff.ask.AnswerStage;
import dev.handoff.ask.Questions;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// The questions of the public face to an engine. Each of them hears something: the answer, or that
/// there is none in time, or that the engine has ended, as soon as it has.
record Calls(Questions questions) {

  /// How long most answers may take.
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /// Asks an actor. Fails with an [UnavailableException] and with nothing else.
  <C, R> CompletionStage<R> ask(ActorRef<C> whom, Function<ActorRef<R>, C> message) {
    return ask(whom, message, PATIENCE);
  }

  <C, R> CompletionStage<R> ask(
      ActorRef<C> whom, Function<ActorRef<R>, C> message, Duration patience) {
    return questions.ask(whom, message, patience, UnavailableException::new);
  }

  /// Asks an actor, for the engine itself, and makes the answer where the reply arrives.
  ///
  /// @param told short, and no code of users
  <C, R, T> CompletionStage<T> ask(
      ActorRef<C> whom,
      Function<ActorRef<R>, C> message,
      BiFunction<@Nullable R, @Nullable Throwable, T> told) {
    return questions.ask(whom, message, PATIENCE, UnavailableException::new, told);
  }

  /// Asks an actor, and makes the answer of a user of its reply where that arrives.
  ///
  /// @param told short, and no code of users
  <C, R, T> AnswerStage<T> answer(
      ActorRef<C> whom,
      Function<ActorRef<R>, C> message,
      Duration patience,
      BiFunction<@Nullable R, @Nullable Throwable, T> told) {
    return questions.answer(whom, message, patience, UnavailableException::new, told);
  }

  /// The engine has ended, for the first reason that is given: nobody waits any longer, and every
  /// stream completes.
  void end(String reason) {
    questions.end(reason);
  }

  /// Why nothing is answered any more; null while the engine goes on.
  @Nullable String over() {
    return questions.over();
  }
}
