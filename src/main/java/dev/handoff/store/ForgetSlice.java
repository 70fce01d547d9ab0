package dev.handoff.store;

import java.time.Instant;
import java.util.Set;

/// A stretch of history in which rows of some types are to be deleted, the oldest first.
///
/// @param after where the stretch begins
/// @param before rows that finished then or later are left alone
/// @param types of jobs; steps and plans have none that counts here
/// @param others whether everything but these types is deleted, and not just these types
public record ForgetSlice(HistoryPlace after, Instant before, Set<String> types, boolean others) {

  public ForgetSlice {
    types = Set.copyOf(types);
  }

  /// @param plan whose step it is; null = of none
  boolean takes(String kind, String type, String plan) {
    boolean named = plan == null && !kind.equals(HistoryRow.PLAN) && types.contains(type);
    return named != others;
  }
}
