package dev.handoff.internal.ledger;

import java.util.List;

/// Fold of a fact into the live states. Called in ledger order when the fact is durable, and again
/// at replay.
@FunctionalInterface
public interface StateFold {

  /// @return changed states, the entity's own first; empty if the fact's entity is not live
  List<EntityState> fold(LiveStates live, String entity, StoredEvent event);
}
