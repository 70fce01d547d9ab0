package dev.handoff.internal.ledger;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.EntityId;

/// State of a live entity: an immutable value, shared by reference between the ledger and the
/// entity's actor.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
public interface EntityState {

  EntityId id();

  /// Number of facts folded into the state: the later of two states has the higher version.
  long version();

  /// Whether the entity has ended: it then leaves the live states.
  boolean ended();
}
