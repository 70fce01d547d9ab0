package dev.handoff.dispatch;

import dev.handoff.actor.FatalErrorGuard;
import java.util.function.Function;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// An actor that takes its own commands, and what others say in words of their own.
///
/// `Behaviors.transformMessages` does the same and more, for every message and every change of
/// behaviour: a fifteenth of what a job costs went into it.
///
/// @param <C> its own commands
final class Open<C> extends ExtensibleBehavior<Object> {

  private final Function<Object, @Nullable C> words;
  private Behavior<C> behavior;

  private Open(Function<Object, @Nullable C> words, Behavior<C> behavior) {
    this.words = words;
    this.behavior = behavior;
  }

  /// @param words makes a command of anything that it can be sent; null of anything else, which may
  ///   come over the wire and is nobody's failure
  static <C> Behavior<Object> of(Behavior<C> behavior, Function<Object, @Nullable C> words) {
    return FatalErrorGuard.setup(
        context -> new Open<>(words, Behavior.start(behavior, Open.<C>narrow(context))));
  }

  @Override
  public Behavior<Object> receive(TypedActorContext<Object> context, Object message) {
    C command = words.apply(message);
    if (command == null) {
      context.asJava().getLog().warn("ignores a message of {}", message.getClass());
      return Behaviors.unhandled();
    }
    TypedActorContext<C> own = narrow(context);
    return then(Behavior.interpretMessage(behavior, own, command), own);
  }

  @Override
  public Behavior<Object> receiveSignal(TypedActorContext<Object> context, Signal signal) {
    TypedActorContext<C> own = narrow(context);
    return then(Behavior.interpretSignal(behavior, own, signal), own);
  }

  private Behavior<Object> then(Behavior<C> next, TypedActorContext<C> context) {
    if (Behavior.isUnhandled(next)) {
      return Behaviors.unhandled();
    }
    behavior = Behavior.canonicalize(next, behavior, context);
    return Behavior.isAlive(behavior) ? this : Behaviors.stopped();
  }

  /// It is the same actor, whatever its messages are called.
  @SuppressWarnings("unchecked")
  private static <C> TypedActorContext<C> narrow(TypedActorContext<?> context) {
    return (TypedActorContext<C>) context;
  }
}
