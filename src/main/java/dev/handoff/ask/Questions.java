package dev.handoff.ask;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/// Questions to actors, from any thread. Whoever asks hears something: the answer, or that there is
/// none in time, or that the engine has ended, as soon as it has.
public final class Questions {

  static final String DISPATCHER = "handoff.questions-dispatcher";
  private static final String MAILBOX = "handoff.questions-mailbox";

  private final ActorSystem<?> system;
  private final ActorRefProvider provider;
  private final ActorRef<OpenQuestions.Command> open;
  private final CompletableFuture<String> over;

  private Questions(
      ActorSystem<?> system, ActorRef<OpenQuestions.Command> open, CompletableFuture<String> over) {
    this.system = system;
    this.provider = ((ExtendedActorSystem) Adapter.toClassic(system)).provider();
    this.open = open;
    this.over = over;
  }

  /// Starts with the actor that keeps them as a part of another one, which watches it.
  public static Questions in(ActorContext<?> parent) {
    var over = new CompletableFuture<String>();
    var system = parent.getSystem();
    var open = parent.spawn(OpenQuestions.create(over), "questions", threads(system));
    parent.watch(open);
    return new Questions(system, open, over);
  }

  /// Starts with an actor of the system.
  public static Questions on(ActorSystem<?> system) {
    var over = new CompletableFuture<String>();
    var name = "handoff-questions-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
    Behavior<OpenQuestions.Command> behavior = OpenQuestions.create(over);
    return new Questions(system, system.systemActorOf(behavior, name, threads(system)), over);
  }

  /// A thread of its own: where an error of the JVM has stopped the dispatcher of the others, this
  /// is who says so. A host whose configuration was not made with ours lends one.
  private static Props threads(ActorSystem<?> system) {
    return system.settings().config().hasPath(DISPATCHER)
        ? DispatcherSelector.fromConfig(DISPATCHER).withMailboxFromConfig(MAILBOX)
        : DispatcherSelector.blocking();
  }

  public ActorSystem<?> system() {
    return system;
  }

  /// Asks an actor, for the engine itself.
  ///
  /// @param failure what the stage fails with when there is no answer, by its reason
  public <C, R> CompletionStage<R> ask(
      ActorRef<C> whom,
      Function<ActorRef<R>, C> message,
      Duration patience,
      Function<String, RuntimeException> failure) {
    return this.<C, R, R>ask(whom, message, patience, failure, Questions::same);
  }

  /// Asks an actor, for the engine itself.
  ///
  /// @param told makes the answer of the reply, or of the failure; on the thread of whoever
  ///   replies: it must be short, and must not be a user's
  public <C, R, T> CompletionStage<T> ask(
      ActorRef<C> whom,
      Function<ActorRef<R>, C> message,
      Duration patience,
      Function<String, RuntimeException> failure,
      BiFunction<@Nullable R, @Nullable Throwable, T> told) {
    var answer = new EngineStage<T>();
    ask(whom, message, new ReplySink<R, T>(provider, patience, failure, told, answer));
    return answer;
  }

  /// Asks an actor, for a user: the answer needs no other thread than that of whoever replies.
  ///
  /// @param told as for [#ask]
  public <C, R, T> AnswerStage<T> answer(
      ActorRef<C> whom,
      Function<ActorRef<R>, C> message,
      Duration patience,
      Function<String, RuntimeException> failure,
      BiFunction<@Nullable R, @Nullable Throwable, T> told) {
    var answer = new AnswerStage<T>();
    ask(whom, message, new ReplySink<R, T>(provider, patience, failure, told, answer));
    return answer;
  }

  private <C, R> void ask(
      ActorRef<C> whom, Function<ActorRef<R>, C> message, ReplySink<R, ?> sink) {
    if (over() == null) {
      whom.tell(message.apply(sink.typed()));
      open.tell(new OpenQuestions.Asked(sink));
    }
    // Looked at after `Asked` was sent: an end in between has seen the question, or is seen here.
    var reason = over();
    if (reason != null) {
      sink.fail(reason);
    }
  }

  private static <R> R same(@Nullable R reply, @Nullable Throwable failure) {
    if (reply == null) {
      throw failure instanceof RuntimeException own ? own : new IllegalStateException(failure);
    }
    return reply;
  }

  /// The engine has ended, for the first reason that is given: nobody waits any longer, and every
  /// stream completes.
  public void end(String reason) {
    over.complete(reason);
    open.tell(new OpenQuestions.End(over.getNow(reason)));
  }

  /// Why nothing is answered any more; null while the engine goes on.
  public @Nullable String over() {
    return over.getNow(null);
  }

  /// The source, which completes when the engine ends.
  public <T> Source<T, NotUsed> whileRunning(Source<T, NotUsed> source) {
    return source.via(new EndingStream<>(open, over));
  }

  /// Completes when no stream runs.
  public CompletableFuture<Void> streamsOver() {
    var none = new CompletableFuture<Void>();
    open.tell(new OpenQuestions.AwaitStreams(none));
    return none;
  }
}
