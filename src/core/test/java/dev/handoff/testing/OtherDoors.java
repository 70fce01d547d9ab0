package dev.handoff.testing;

import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.facade.RunningEngine;
import org.apache.pekko.actor.typed.ActorRef;

/// Internals of an engine with a different gateway.
public final class OtherDoors {

  private OtherDoors() {}

  public static RunningEngine through(ActorRef<Gateway.Command> gateway, RunningEngine engine) {
    var doors = engine.doors();
    return new RunningEngine(
        engine.system(),
        engine.own(),
        engine.guardian(),
        new Engine.Ready(
            gateway,
            doors.partitions(),
            doors.queues(),
            doors.events(),
            doors.guarded(),
            doors.assembler(),
            doors.blobs(),
            doors.questions(),
            doors.interrupted()),
        engine.store(),
        engine.submissions(),
        engine.settings(),
        engine.calls(),
        engine.streams());
  }
}
