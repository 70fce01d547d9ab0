package dev.handoff.engine;

import dev.handoff.ledger.Ledger;
import dev.handoff.store.StoreException;
import java.util.concurrent.CompletionException;
import org.apache.pekko.actor.typed.ActorRef;

/// A question that the store has not answered. It may be the first sign that the store is away,
/// where nothing is being written: so the ledger finds out, and the engine's health is told.
record Silence(ActorRef<Ledger.Command> ledger) {

  /// Why there is no answer.
  String reason(Throwable failure) {
    var cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof StoreException.Unavailable) {
      ledger.tell(Ledger.Probe.INSTANCE);
    }
    return String.valueOf(cause.getMessage());
  }
}
