package dev.handoff.ledger;

import java.util.List;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;

/// What a ledger tells its partition without being asked. Local to the partition.
public sealed interface LedgerNotice extends NoSerializationVerificationNeeded {

  /// The log has been read back; appends are taken from now on. The states are those that were
  /// live.
  record Recovered(List<EntityState> states) implements LedgerNotice {}

  /// A batch is durable: its facts in order, each with the state of its entity after it.
  record Published(List<Folded> facts) implements LedgerNotice {}

  record Folded(EntityState state, StoredEvent event) {}

  /// The store cannot be reached; appends wait.
  record StoreAway(String reason) implements LedgerNotice {}

  /// The store answers again.
  record StoreBack() implements LedgerNotice {}

  /// Somebody else owns the partition. This ledger has stopped for good.
  record SteppedDown(String by) implements LedgerNotice {}

  /// The log cannot be read: the place and the reason. This ledger has stopped; nothing was
  /// changed.
  record Unreadable(String message) implements LedgerNotice {}
}
