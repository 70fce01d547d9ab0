package dev.handoff.internal.spi;

import dev.handoff.internal.breaker.GuardedCalls;
import java.time.InstantSource;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/// Parts of an engine that context assembly uses.
///
/// @param calls calls of strategies behind breakers
public record ContextHost(PartStarter parts, GuardedCalls calls, InstantSource clock) {

  /// Starts actors that live and end with the engine. The loss of one takes the engine down.
  @FunctionalInterface
  public interface PartStarter {
    <T> ActorRef<T> start(Behavior<T> behavior, String name);
  }
}
