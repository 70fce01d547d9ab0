package dev.handoff;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.engine.Engine;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// The watch over an engine from outside: takes what it says of its start, however long that takes,
/// and sees its end, after which it says nothing any more.
final class Opening {

  private Opening() {}

  /// @param answer completed with the first that the engine says
  /// @param end told when the engine is gone
  static Behavior<Engine.Startup> create(
      ActorRef<Engine.Command> engine, CompletableFuture<Engine.Startup> answer, EngineEnd end) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Opening.class);
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
