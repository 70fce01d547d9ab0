package dev.handoff;

import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.engine.Gateway;
import org.apache.pekko.actor.typed.ActorRef;

/// Internals of an engine with a different gateway.
final class OtherDoors {

  private OtherDoors() {}

  static Handoff.Inside through(ActorRef<Gateway.Command> gateway, Handoff.Inside inside) {
    var doors = inside.doors();
    return new Handoff.Inside(
        inside.system(),
        inside.own(),
        inside.engine(),
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
        inside.store(),
        inside.submissions(),
        inside.settings(),
        inside.calls(),
        inside.streams());
  }
}
