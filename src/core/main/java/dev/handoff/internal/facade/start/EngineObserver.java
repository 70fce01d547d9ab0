package dev.handoff.internal.facade.start;

import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.engine.Engine;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// External observer of an engine: receives the result of its start, however long that takes, and
/// then its termination.
final class EngineObserver {

  private EngineObserver() {}

  /// @param answer completed with the result of the engine's start
  /// @param end notified when the engine has stopped
  static Behavior<Engine.Startup> create(
      ActorRef<Engine.Command> engine, CompletableFuture<Engine.Startup> answer, EngineEnd end) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(EngineObserver.class);
          context.watch(engine);
          engine.tell(new Engine.AwaitStart(context.getSelf()));
          return Behaviors.receive(Engine.Startup.class)
              .onAnyMessage(startup -> said(answer, startup))
              .onSignal(Terminated.class, gone -> ended(end))
              .build();
        });
  }

  private static Behavior<Engine.Startup> said(
      CompletableFuture<Engine.Startup> answer, Engine.Startup startup) {
    answer.complete(startup);
    return Behaviors.same();
  }

  private static Behavior<Engine.Startup> ended(EngineEnd end) {
    end.guardianIsGone();
    return Behaviors.stopped();
  }
}
