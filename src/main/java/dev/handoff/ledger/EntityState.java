package dev.handoff.ledger;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// The state of a live entity: an immutable value, shared by reference between the ledger and the
/// entity's actor.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
public interface EntityState {

  EntityId id();

  /// How many facts have been folded into it: the later of two states has the higher one.
  long version();

  /// Whether the entity is over: it then leaves the live states, and has a row in history.
  boolean ended();
}
