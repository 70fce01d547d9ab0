package dev.handoff.internal.job;

import dev.handoff.internal.ledger.WireMessage;
import org.apache.pekko.actor.typed.ActorRef;

/// Right to run one attempt on one idle worker, used at most once. A start, a stop, a return or the
/// expiry closes the credit; an order with a closed credit starts nothing.
///
/// @param number unique within the pool
/// @param name name of the worker within the pool
/// @param worker receiver of the order
public record WorkerCredit(PoolId pool, long number, String name, ActorRef<WorkerOrder> worker)
    implements WireMessage {

  ClaimingWorker claimant() {
    return new ClaimingWorker(pool, name);
  }
}
