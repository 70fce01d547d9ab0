package dev.handoff.actor;

import java.util.function.Function;
import org.apache.pekko.actor.ActorInitializationException;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// The outermost behaviour of an actor: an `Error` becomes a failure of this actor, of which its
/// parent is told.
///
/// Supervision sees exceptions only. An `Error` that leaves an actor (no memory, no stack, a class
/// that cannot be linked) ends the actor system, and not in order: the thread of the fork-join pool
/// drops the mailboxes that were behind it, so actors that must take part in the end never run
/// again, and the system neither works nor terminates.
///
/// The actors of jobs and plans, of which there are many, catch errors themselves.
///
/// @param <T> messages of the actor
public final class FatalErrorGuard<T> extends ExtensibleBehavior<T> {

  private Behavior<T> behavior;

  private FatalErrorGuard(Behavior<T> behavior) {
    this.behavior = behavior;
  }

  /// The behaviour of an actor that is set up first, as [Behaviors#setup] does it.
  public static <T> Behavior<T> setup(Function<ActorContext<T>, Behavior<T>> factory) {
    return of(Behaviors.setup(factory::apply));
  }

  /// @param behavior of the actor, which may be one that has to be set up first
  public static <T> Behavior<T> of(Behavior<T> behavior) {
    return Behaviors.setup(
        context -> {
          try {
            var started = Behavior.start(behavior, context);
            return Behavior.isAlive(started) ? new FatalErrorGuard<>(started) : started;
          } catch (Throwable failure) {
            throw seen(failure);
          }
        });
  }

  @Override
  public Behavior<T> receive(TypedActorContext<T> context, T message) {
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

  /// One that has stopped hears of that.
  private Behavior<T> then(Behavior<T> next, TypedActorContext<T> context) {
    if (Behavior.isUnhandled(next) || !Behavior.isAlive(next)) {
      return next;
    }
    behavior = Behavior.canonicalize(next, behavior, context);
    return this;
  }

  /// What an actor has failed with: itself, or what it was being made of.
  public static Throwable cause(ChildFailed failed) {
    var cause = failed.cause();
    return cause instanceof ActorInitializationException && cause.getCause() != null
        ? cause.getCause()
        : cause;
  }

  /// The failure as supervision sees it.
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
