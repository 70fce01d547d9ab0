package dev.handoff;

import dev.handoff.engine.Engine;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Whoever waits for an engine that starts, however long that takes: for what it says, or for its
/// end, after which it says nothing any more.
final class Opening {

  static final String ENDED = "it has ended";

  private Opening() {}

  /// @param answer completed with the first of them
  static Behavior<Engine.Startup> create(
      ActorRef<Engine.Command> engine, CompletableFuture<Engine.Startup> answer) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Opening.class);
          context.watch(engine);
          engine.tell(new Engine.AwaitStart(context.getSelf()));
          return Behaviors.receive(Engine.Startup.class)
              .onAnyMessage(startup -> end(answer, startup))
              .onSignal(Terminated.class, gone -> end(answer, new Engine.NotStarted(ENDED)))
              .build();
        });
  }

  private static Behavior<Engine.Startup> end(
      CompletableFuture<Engine.Startup> answer, Engine.Startup startup) {
    answer.complete(startup);
    return Behaviors.stopped();
  }
}
