package dev.handoff.ledger;

import java.util.List;

/// What a fact makes of the live states. Called in ledger order, when the fact is durable, and
/// again when it is replayed.
@FunctionalInterface
public interface Fold {

  /// @return the states that the fact has changed, the entity's own first; none if the fact is
  ///   about an entity that is not live
  List<EntityState> fold(LiveStates live, String entity, StoredEvent event);
}
