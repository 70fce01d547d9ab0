package dev.handoff.dispatch;

import java.util.function.Function;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// An actor that takes its own commands, and what others say in words of their own.
///
/// `Behaviors.transformMessages` does the same and more, for every message and every change of
/// behaviour: a fifteenth of what a job costs went into it.
///
/// @param <C> its own commands
final class Open<C> extends ExtensibleBehavior<Object> {

  private final Function<Object, C> words;
  private Behavior<C> behavior;

  private Open(Function<Object, C> words, Behavior<C> behavior) {
    this.words = words;
    this.behavior = behavior;
  }

  /// @param words makes a command of anything that it can be sent
  static <C> Behavior<Object> of(Behavior<C> behavior, Function<Object, C> words) {
    return Behaviors.setup(
        context -> new Open<>(words, Behavior.start(behavior, Open.<C>narrow(context))));
  }

  @Override
  public Behavior<Object> receive(TypedActorContext<Object> context, Object message) {
    TypedActorContext<C> own = narrow(context);
    return then(Behavior.interpretMessage(behavior, own, words.apply(message)), own);
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
