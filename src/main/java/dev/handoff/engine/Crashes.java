package dev.handoff.engine;

import dev.handoff.ledger.EntityId;
import dev.handoff.ledger.EntityState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How often the actor of a job or plan has failed without getting anywhere, and with what.
final class Crashes {

  static final int MOST = 3;

  private final Map<EntityId, Row> rows = new HashMap<>();

  /// @param version of the state after the last failure
  private record Row(String cause, long version, int count) {}

  /// What to do about one whose actor has failed.
  enum Verdict {
    /// Make it anew.
    AGAIN,
    /// Too often: it has to end.
    GIVE_UP,
    /// Not even that went well: leave it as it is.
    LEAVE
  }

  void failed(EntityId id, String cause) {
    rows.merge(
        id, new Row(cause, -1, 0), (old, ignored) -> new Row(cause, old.version(), old.count()));
  }

  /// Counts the failure, now that it is known how far it had come.
  Verdict judge(EntityState state) {
    var row = rows.get(state.id());
    int count = row.version() == state.version() ? row.count() + 1 : 1;
    rows.put(state.id(), new Row(row.cause(), state.version(), count));
    return count < MOST ? Verdict.AGAIN : count == MOST ? Verdict.GIVE_UP : Verdict.LEAVE;
  }

  /// Why it is given up.
  String reason(EntityId id) {
    return "its actor failed %d times in a row: %s".formatted(MOST, rows.get(id).cause());
  }

  /// Why one is left without an actor; null if it is not.
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
