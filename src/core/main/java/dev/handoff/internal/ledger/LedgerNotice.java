package dev.handoff.internal.ledger;

import java.util.List;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;

/// Unrequested notice of a ledger to its partition. Local to the partition.
public sealed interface LedgerNotice extends NoSerializationVerificationNeeded {

  /// Recovery is complete, with these live states; the ledger takes appends from now on.
  record Recovered(List<EntityState> states) implements LedgerNotice {}

  /// A batch is durable: its facts in order, each with its entity's state after it.
  record Published(List<Folded> facts) implements LedgerNotice {}

  record Folded(EntityState state, StoredEvent event) {}

  /// The store is unreachable; appends wait.
  record StoreAway(String reason) implements LedgerNotice {}

  /// The store answers again.
  record StoreBack() implements LedgerNotice {}

  /// Another engine owns the partition. This ledger has stopped for good.
  record SteppedDown(String by) implements LedgerNotice {}

  /// The log cannot be read; the message names place and reason. This ledger has stopped, and
  /// nothing was changed.
  record Unreadable(String message) implements LedgerNotice {}
}
