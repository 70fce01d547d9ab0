package dev.handoff.internal.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// States of a partition's live entities after the last durable batch. Belongs to the ledger actor.
public final class LiveStates {

  private final Map<String, EntityState> states = new HashMap<>();

  public @Nullable EntityState get(String entity) {
    return states.get(entity);
  }

  /// Stores a live state, or removes an ended entity.
  ///
  /// @return the state
  public EntityState put(EntityState state) {
    if (state.ended()) {
      states.remove(state.id().value());
    } else {
      states.put(state.id().value(), state);
    }
    return state;
  }

  /// Copies the current states. Cheap: references only.
  List<EntityState> copy() {
    return new ArrayList<>(states.values());
  }
}
