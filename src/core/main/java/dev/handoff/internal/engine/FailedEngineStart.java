package dev.handoff.internal.engine;

import java.util.List;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Engine without parts, because their creation failed: it reports the reason, and can be closed.
final class FailedEngineStart {

  private final String reason;

  private FailedEngineStart(String reason) {
    this.reason = reason;
  }

  static Behavior<Engine.Command> because(Throwable failure, ActorContext<Engine.Command> context) {
    context.getLog().error("the engine cannot be started", failure);
    context.getChildren().forEach(context::stop);
    var engine = new FailedEngineStart("it failed: " + failure);
    return Behaviors.receive(
        (same, message) -> engine.onMessage(message), (same, signal) -> onSignal(signal));
  }

  /// Accepts the termination of already watched parts.
  private static Behavior<Engine.Command> onSignal(Signal signal) {
    return signal instanceof Terminated ? Behaviors.same() : Behaviors.unhandled();
  }

  private Behavior<Engine.Command> onMessage(Engine.Command message) {
    switch (message) {
      case Engine.AwaitStart(var replyTo) -> replyTo.tell(new Engine.NotStarted(reason));
      case Engine.GiveSign(var sign) -> sign.run();
      case Engine.GetHealth(var replyTo) -> replyTo.tell(health());
      case Engine.Shutdown(var replyTo) -> replyTo.tell(new Engine.Stopped(0));
      case Engine.Leave leave -> {
        return Behaviors.stopped();
      }
      case Engine.Command ofItsParts -> {
        return Behaviors.unhandled();
      }
    }
    return Behaviors.same();
  }

  private Engine.HealthReport health() {
    return new Engine.HealthReport(false, List.of(reason), List.of(), null, null);
  }
}
