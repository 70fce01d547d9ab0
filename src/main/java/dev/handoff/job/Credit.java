package dev.handoff.job;

import dev.handoff.ledger.WireMessage;
import org.apache.pekko.actor.typed.ActorRef;

/// The right to run one attempt on one idle worker. Used at most once: a start, a stop, giving it
/// back or its expiry closes it, and an order that names a closed credit starts nothing.
///
/// @param number unique within the pool
/// @param worker whom to send the order
public record Credit(PoolId pool, long number, String name, ActorRef<WorkerOrder> worker)
    implements WireMessage {

  Claimant claimant() {
    return new Claimant(pool, name);
  }
}
