package dev.handoff.internal.engine;

import dev.handoff.StoreException;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.ledger.Ledger;
import org.apache.pekko.actor.typed.ActorRef;

/// Probe of the store after a failed query, which may be the first sign of an outage while no write
/// is in flight. The ledger sends the probe, and the engine's health reflects the result.
record StoreProbe(ActorRef<Ledger.Command> ledger) {

  /// Sends the probe if the store was unreachable.
  void sendAfter(Throwable failure) {
    if (StageFailures.cause(failure) instanceof StoreException.Unavailable) {
      ledger.tell(Ledger.Probe.INSTANCE);
    }
  }

  static String reason(Throwable failure) {
    return String.valueOf(StageFailures.cause(failure).getMessage());
  }
}
