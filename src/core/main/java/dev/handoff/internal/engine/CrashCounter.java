package dev.handoff.internal.engine;

import dev.handoff.EntityId;
import dev.handoff.internal.ledger.EntityState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Failure counts of job and plan actors: failures without progress in between, with their cause.
final class CrashCounter {

  static final int MOST = 3;

  private final Map<EntityId, Row> rows = new HashMap<>();

  /// @param version version of the state after the last failure
  private record Row(String cause, long version, int count) {}

  /// Decision about an entity whose actor failed.
  enum Verdict {
    /// Create a new actor.
    AGAIN,
    /// End the entity: its actor failed too often.
    GIVE_UP,
    /// Create no actor any more: even the entity's end failed.
    LEAVE
  }

  void failed(EntityId id, String cause) {
    rows.merge(
        id, new Row(cause, -1, 0), (old, ignored) -> new Row(cause, old.version(), old.count()));
  }

  /// Counts the failure. Takes the recovered state, since progress resets the count.
  Verdict judge(EntityState state) {
    var row = rows.get(state.id());
    int count = row.version() == state.version() ? row.count() + 1 : 1;
    rows.put(state.id(), new Row(row.cause(), state.version(), count));
    return count < MOST ? Verdict.AGAIN : count == MOST ? Verdict.GIVE_UP : Verdict.LEAVE;
  }

  /// Reason why the entity is ended.
  String reason(EntityId id) {
    return "its actor failed %d times in a row: %s".formatted(MOST, rows.get(id).cause());
  }

  /// Reason to leave an entity without an actor; null if there is none.
  @Nullable String leftBecause(EntityId id) {
    var row = rows.get(id);
    return row == null || row.count() <= MOST
        ? null
        : "%s cannot be worked on until the engine is started again: %s".formatted(id, row.cause());
  }

  void forget(EntityId id) {
    rows.remove(id);
  }
}
