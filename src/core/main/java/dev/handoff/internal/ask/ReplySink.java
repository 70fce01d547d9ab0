package dev.handoff.internal.ask;

import dev.handoff.internal.text.DurationWords;
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

/// Lightweight `replyTo` of one request, without an actor or a timer: the first reply completes its
/// stage. The path is registered lazily, at the first call of `path()`, for example when the ref is
/// serialized for another node. Pekko's own ask uses the same technique.
///
/// @param <R> reply of the actor
/// @param <T> answer of the stage
final class ReplySink<R, T> extends InternalActorRef implements LocalRef {

  private final ActorRefProvider provider;
  private final BiFunction<@Nullable R, @Nullable Throwable, T> told;
  private final Function<String, RuntimeException> failure;
  private final Duration patience;
  private final CompletableFuture<ActorPath> path = new CompletableFuture<>();
  private final CompletableFuture<T> answer;

  /// @param told converts the reply or failure into the answer, on the replying thread, so it must
  ///   be short
  /// @param failure converts the reason of a missing answer into the exception
  /// @param answer stage to complete
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

  /// Fails the request.
  ///
  /// @throws OutOfMemoryError if the heap is full; the call can be repeated
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

  /// Casts the reply. A ref has no type at run time; the request determines the reply type.
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

  /// Registers a path at the first call, and unregisters it if the request is answered meanwhile.
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
