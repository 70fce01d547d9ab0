package dev.handoff.internal.facade.start;

import com.typesafe.config.ConfigFactory;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Actor system and dispatcher for an engine's actors.
enum EnginePlace {
  OWN(null),
  HOST(""),
  HOST_FORK_JOIN(
      """
      throughput = 64
      fork-join-executor { parallelism-min = 2, minimum-runnable = -1 }
      """),
  HOST_THREADS(
      """
      executor = "thread-pool-executor"
      thread-pool-executor.fixed-pool-size = 4
      """);

  private final @Nullable String dispatcher;

  EnginePlace(@Nullable String dispatcher) {
    this.dispatcher = dispatcher;
  }

  /// Starts the host's actor system; null if the engine creates its own.
  @Nullable ActorSystem<Void> startHost() {
    if (this == OWN) {
      return null;
    }
    var settings =
        """
        pekko.jvm-exit-on-fatal-error = off
        pekko.coordinated-shutdown.exit-jvm = off
        pekko.actor.default-dispatcher { %s }
        """
            .formatted(dispatcher);
    return ActorSystem.create(
        Behaviors.empty(),
        "host",
        ConfigFactory.parseString(settings).withFallback(ConfigFactory.load()));
  }
}
