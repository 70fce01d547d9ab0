package dev.handoff.internal.facade;

import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.engine.EngineSettings;
import dev.handoff.internal.store.Store;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;

/// Parts of a running engine that the facade uses.
///
/// @param own whether the actor system belongs to this engine and terminates with it
public record RunningEngine(
    ActorSystem<?> system,
    boolean own,
    ActorRef<Engine.Command> guardian,
    Engine.Ready doors,
    Store store,
    JobSubmissions submissions,
    EngineSettings settings,
    EngineCalls calls,
    EventStreams streams) {}
