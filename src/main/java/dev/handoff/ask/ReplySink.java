package dev.handoff.ask;

import dev.handoff.actor.DurationWords;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.actor.LocalRef;
import org.apache.pekko.actor.Nobody$;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.dispatch.sysmsg.SystemMessage;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/// The `replyTo` of one question, without an actor and without a timer: the first reply completes
/// its stage. It gets a path, and is found by it, only when somebody asks for that, as a message
/// does that is written for another node; Pekko's own sink of a question does the same.
///
/// @param <R> what the actor replies
/// @param <T> what the stage is told of it
final class ReplySink<R, T> extends InternalActorRef implements LocalRef {

  private final ActorRefProvider provider;
  private final BiFunction<@Nullable R, @Nullable Throwable, T> told;
  private final Function<String, RuntimeException> failure;
  private final Duration patience;
  private final CompletableFuture<ActorPath> path = new CompletableFuture<>();
  private final CompletableFuture<T> answer;

  /// @param told makes the answer of a reply or of a failure; on the thread of whoever replies, so
  ///   it is short
  /// @param failure what an answer that does not come fails with, by its reason
  /// @param answer where the answer goes
  ReplySink(
      ActorRefProvider provider,
      Duration patience,
      Function<String, RuntimeException> failure,
      BiFunction<@Nullable R, @Nullable Throwable, T> told,
      CompletableFuture<T> answer) {
    this.provider = provider;
    this.patience = patience;
    this.failure = failure;
    this.told = told;
    this.answer = answer;
  }

  org.apache.pekko.actor.typed.ActorRef<R> typed() {
    return Adapter.toTyped(this);
  }

  Duration patience() {
    return patience;
  }

  boolean isAnswered() {
    return answer.isDone();
  }

  /// There will be no reply.
  ///
  /// @throws OutOfMemoryError if there is no memory to say so: it may be said again
  void fail(String reason) {
    if (!answer.isDone()) {
      try {
        complete(null, failure.apply(reason));
      } catch (OutOfMemoryError notNow) {
        throw notNow;
      } catch (Error broken) {
        answer.completeExceptionally(broken);
      }
    }
  }

  void failLate() {
    fail("no answer within " + DurationWords.exact(patience));
  }

  @Override
  public void $bang(Object message, ActorRef sender) {
    if (!answer.isDone()) {
      complete(reply(message), null);
    }
  }

  /// A ref knows no type at run time: the question has said what its reply is.
  private R reply(Object message) {
    return ClassTag.<R>apply(Object.class).unapply(message).get();
  }

  private void complete(@Nullable R reply, @Nullable Throwable none) {
    try {
      answer.complete(told.apply(reply, none));
    } catch (Throwable e) {
      answer.completeExceptionally(e);
    }
    var registered = path.getNow(null);
    if (registered != null) {
      provider.unregisterTempActor(registered);
    }
  }

  /// Registers a path at the first call, and takes it back if the question is answered by then.
  @Override
  public ActorPath path() {
    var known = path.getNow(null);
    if (known != null) {
      return known;
    }
    var fresh = provider.tempPath();
    provider.registerTempActor(this, fresh);
    if (!path.complete(fresh) || answer.isDone()) {
      provider.unregisterTempActor(fresh);
    }
    return path.getNow(fresh);
  }

  @Override
  public ActorRefProvider provider() {
    return provider;
  }

  @Override
  public InternalActorRef getParent() {
    return provider.tempContainer();
  }

  @Override
  public InternalActorRef getChild(Iterator<String> names) {
    return names.forall(String::isEmpty) ? this : Nobody$.MODULE$;
  }

  @Override
  public boolean isTerminated() {
    return answer.isDone();
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public void start() {}

  @Override
  public void resume(Throwable cause) {}

  @Override
  public void suspend() {}

  @Override
  public void restart(Throwable cause) {}

  @Override
  public void stop() {}

  @Override
  public void sendSystemMessage(SystemMessage message) {}
}
