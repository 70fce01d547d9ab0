package dev.handoff.internal.actor;

import java.util.function.Function;
import org.apache.pekko.actor.ActorInitializationException;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Outermost behaviour of an actor: an `Error` becomes a failure of this actor, which its parent
/// learns about.
///
/// Supervision handles exceptions only. An `Error` that escapes an actor (out of memory, stack
/// overflow, linkage error) terminates the actor system, and not in order: the fork-join thread
/// drops the mailboxes queued behind the actor. Actors that must take part in the termination never
/// run again, and the system neither works nor terminates.
///
/// The numerous job and plan actors catch errors themselves.
///
/// @param <T> messages of the actor
public final class FatalErrorGuard<T> extends ExtensibleBehavior<T> {

  private final Class<?> protocol;
  private Behavior<T> behavior;

  private FatalErrorGuard(Class<?> protocol, Behavior<T> behavior) {
    this.protocol = protocol;
    this.behavior = behavior;
  }

  /// Guarded behaviour of an actor that other nodes can address: a message of a foreign type is
  /// logged and ignored. Without this check it would be a failure of the actor.
  ///
  /// @param protocol type of the messages
  public static <T> Behavior<T> setup(
      Class<T> protocol, Function<ActorContext<T>, Behavior<T>> factory) {
    return of(protocol, Behaviors.setup(factory::apply));
  }

  /// Guarded behaviour with a setup, like [Behaviors#setup].
  public static <T> Behavior<T> setup(Function<ActorContext<T>, Behavior<T>> factory) {
    return of(Behaviors.setup(factory::apply));
  }

  /// @param behavior behaviour to guard, possibly with a setup
  public static <T> Behavior<T> of(Behavior<T> behavior) {
    return of(Object.class, behavior);
  }

  private static <T> Behavior<T> of(Class<?> protocol, Behavior<T> behavior) {
    return Behaviors.setup(
        context -> {
          try {
            var started = Behavior.start(behavior, context);
            return Behavior.isAlive(started) ? new FatalErrorGuard<>(protocol, started) : started;
          } catch (Throwable failure) {
            throw seen(failure);
          }
        });
  }

  @Override
  public Behavior<T> receive(TypedActorContext<T> context, T message) {
    if (!protocol.isInstance(message)) {
      context.asJava().getLog().warn("ignores a message of {}", message.getClass());
      return Behaviors.unhandled();
    }
    try {
      return then(Behavior.interpretMessage(behavior, context, message), context);
    } catch (Throwable failure) {
      throw seen(failure);
    }
  }

  @Override
  public Behavior<T> receiveSignal(TypedActorContext<T> context, Signal signal) {
    try {
      return then(Behavior.interpretSignal(behavior, context, signal), context);
    } catch (Throwable failure) {
      throw seen(failure);
    }
  }

  /// Keeps the current behaviour when the next one is a stop, so that the current one receives
  /// `PostStop`.
  private Behavior<T> then(Behavior<T> next, TypedActorContext<T> context) {
    if (Behavior.isUnhandled(next) || !Behavior.isAlive(next)) {
      return next;
    }
    behavior = Behavior.canonicalize(next, behavior, context);
    return this;
  }

  /// Cause of a child's failure; for a failed construction, the cause of that.
  public static Throwable cause(ChildFailed failed) {
    var cause = failed.cause();
    return cause instanceof ActorInitializationException && cause.getCause() != null
        ? cause.getCause()
        : cause;
  }

  /// Exception for supervision.
  public static RuntimeException seen(Throwable failure) {
    MemoryReserve.giveBackAfter(failure);
    try {
      return failure instanceof RuntimeException exception
          ? exception
          : new ActorErrorException(failure);
    } catch (OutOfMemoryError again) {
      return ActorErrorException.WITHOUT_MEMORY;
    }
  }
}
