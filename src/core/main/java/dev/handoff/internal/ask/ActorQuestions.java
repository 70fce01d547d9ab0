package dev.handoff.internal.ask;

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

/// Requests to actors, from any thread. Each request completes with an answer, with a time-out, or
/// with the end of the engine as soon as it happens.
public final class ActorQuestions {

  static final String DISPATCHER = "handoff.questions-dispatcher";
  private static final String MAILBOX = "handoff.questions-mailbox";

  private final ActorSystem<?> system;
  private final ActorRefProvider provider;
  private final ActorRef<OpenQuestions.Command> open;
  private final CompletableFuture<String> over;

  private ActorQuestions(
      ActorSystem<?> system, ActorRef<OpenQuestions.Command> open, CompletableFuture<String> over) {
    this.system = system;
    this.provider = ((ExtendedActorSystem) Adapter.toClassic(system)).provider();
    this.open = open;
    this.over = over;
  }

  /// Creates the request registry as a child of another actor, which watches it.
  public static ActorQuestions in(ActorContext<?> parent) {
    var over = new CompletableFuture<String>();
    var system = parent.getSystem();
    var open = parent.spawn(OpenQuestions.create(over), "questions", threads(system));
    parent.watch(open);
    return new ActorQuestions(system, open, over);
  }

  /// Creates the request registry as a system actor.
  public static ActorQuestions on(ActorSystem<?> system) {
    var over = new CompletableFuture<String>();
    var name = "handoff-questions-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
    Behavior<OpenQuestions.Command> behavior = OpenQuestions.create(over);
    return new ActorQuestions(system, system.systemActorOf(behavior, name, threads(system)), over);
  }

  /// Dispatcher with a separate thread: if a JVM error stops the other dispatcher, this actor still
  /// reports the end. A host whose configuration lacks this dispatcher uses Pekko's blocking
  /// dispatcher.
  private static Props threads(ActorSystem<?> system) {
    return system.settings().config().hasPath(DISPATCHER)
        ? DispatcherSelector.fromConfig(DISPATCHER).withMailboxFromConfig(MAILBOX)
        : DispatcherSelector.blocking();
  }

  public ActorSystem<?> system() {
    return system;
  }

  /// Asks an actor on behalf of the engine.
  ///
  /// @param failure converts the reason of a missing answer into the exception of the stage
  public <C, R> CompletionStage<R> ask(
      ActorRef<C> whom,
      Function<ActorRef<R>, C> message,
      Duration patience,
      Function<String, RuntimeException> failure) {
    return this.<C, R, R>ask(whom, message, patience, failure, ActorQuestions::same);
  }

  /// Asks an actor on behalf of the engine.
  ///
  /// @param told converts the reply or the failure into the answer, on the replying thread: it must
  ///   be short and must not be user code
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

  /// Asks an actor on behalf of a user. The answer needs only the replying thread.
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

  /// Pause between two steps of the engine, on the timer of its actor system. The end of the engine
  /// ends the pause early.
  public CompletionStage<PauseEnd> pause(Duration length) {
    var end = new EngineStage<PauseEnd>();
    var sink =
        new ReplySink<Object, PauseEnd>(
            provider, length, IllegalStateException::new, (none, over) -> PauseEnd.NOW, end);
    register(sink);
    if (!end.isDone()) {
      startTimer(length, sink);
    }
    return end;
  }

  private void startTimer(Duration length, ReplySink<?, ?> pause) {
    try {
      system.scheduler().scheduleOnce(length, pause::failLate, system.executionContext());
    } catch (IllegalStateException ended) {
      pause.failLate();
    }
  }

  /// End of a pause.
  public enum PauseEnd {
    NOW
  }

  private <C, R> void ask(
      ActorRef<C> whom, Function<ActorRef<R>, C> message, ReplySink<R, ?> sink) {
    if (over() == null) {
      whom.tell(message.apply(sink.typed()));
    }
    register(sink);
  }

  private void register(ReplySink<?, ?> sink) {
    if (over() == null) {
      open.tell(new OpenQuestions.Asked(sink));
    }
    // Checked after `Asked` was sent: an end in between either finds the registered request or is
    // found here.
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

  /// Ends all requests and streams; the first given reason counts.
  public void end(String reason) {
    over.complete(reason);
    open.tell(new OpenQuestions.End(over.getNow(reason)));
  }

  /// Reason why requests are no longer answered; null while the engine runs.
  public @Nullable String over() {
    return over.getNow(null);
  }

  /// Variant of the source that completes when the engine ends.
  public <T> Source<T, NotUsed> whileRunning(Source<T, NotUsed> source) {
    return source.via(new EndingStream<>(open, over));
  }

  /// Completes when no stream is running.
  public CompletableFuture<Void> streamsOver() {
    var none = new CompletableFuture<Void>();
    open.tell(new OpenQuestions.AwaitStreams(none));
    return none;
  }
}
