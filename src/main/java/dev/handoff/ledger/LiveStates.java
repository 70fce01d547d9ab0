package dev.handoff.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The states of a partition's live entities, as of the last durable batch. Belongs to the ledger
/// actor.
public final class LiveStates {

  private final Map<String, EntityState> states = new HashMap<>();

  public @Nullable EntityState get(String entity) {
    return states.get(entity);
  }

  /// Keeps the state, or forgets the entity if it has ended.
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

  /// The states as they are now. Cheap: references only.
  List<EntityState> copy() {
    return new ArrayList<>(states.values());
  }
}
