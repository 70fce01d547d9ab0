package dev.handoff.internal.dispatch.worker;

import dev.handoff.internal.actor.FatalErrorGuard;
import java.util.function.Function;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Behavior that accepts its own commands and translates foreign messages into them.
///
/// `Behaviors.transformMessages` does the same, with more work on every message and every change of
/// behavior: it took a fifteenth of a job's cost.
///
/// @param <C> type of the own commands
final class TranslatingBehavior<C> extends ExtensibleBehavior<Object> {

  private final Function<Object, @Nullable C> translation;
  private Behavior<C> behavior;

  private TranslatingBehavior(Function<Object, @Nullable C> translation, Behavior<C> behavior) {
    this.translation = translation;
    this.behavior = behavior;
  }

  /// @param translation translates a message into a command, or into null if it is unknown. An
  ///   unknown message may come over the wire and is not an error
  static <C> Behavior<Object> of(Behavior<C> behavior, Function<Object, @Nullable C> translation) {
    return FatalErrorGuard.setup(
        context ->
            new TranslatingBehavior<>(
                translation, Behavior.start(behavior, TranslatingBehavior.<C>narrow(context))));
  }

  @Override
  public Behavior<Object> receive(TypedActorContext<Object> context, Object message) {
    C command = translation.apply(message);
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

  /// Actor and context stay the same; only the message type differs.
  @SuppressWarnings("unchecked")
  private static <C> TypedActorContext<C> narrow(TypedActorContext<?> context) {
    return (TypedActorContext<C>) context;
  }
}
