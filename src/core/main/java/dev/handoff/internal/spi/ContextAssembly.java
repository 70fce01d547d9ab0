package dev.handoff.internal.spi;

import org.apache.pekko.actor.typed.ActorRef;

/// Context assembly with valid settings, to be started with an engine.
@FunctionalInterface
public interface ContextAssembly {

  /// Starts the actors as parts of the engine.
  ///
  /// @return actor that answers requests
  ActorRef<AssembleContext> start(ContextHost host);
}
