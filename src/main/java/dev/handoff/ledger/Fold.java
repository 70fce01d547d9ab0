package dev.handoff.ledger;

import org.jspecify.annotations.Nullable;

/// What a fact makes of the live states. Called in ledger order, when the fact is durable, and
/// again when it is replayed.
@FunctionalInterface
public interface Fold {

  /// @return the entity's state after the fact; null if the fact is about an entity that is not
  ///   live
  @Nullable EntityState fold(LiveStates live, String entity, StoredEvent event);
}
