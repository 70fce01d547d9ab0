package dev.handoff.internal.store;

import java.time.Instant;
import java.util.Set;

/// Range of history in which rows of some job types are deleted, oldest first.
///
/// @param after start of the range
/// @param before rows that finished at this time or later stay
/// @param types job types; steps and plans do not count as rows of a type
/// @param others whether all rows except these types are deleted, instead of these types
public record ForgetSlice(HistoryPlace after, Instant before, Set<String> types, boolean others) {

  public ForgetSlice {
    types = Set.copyOf(types);
  }

  /// @param plan plan of the step; null for other jobs
  boolean takes(String kind, String type, String plan) {
    boolean named = plan == null && !kind.equals(HistoryRow.PLAN) && types.contains(type);
    return named != others;
  }
}
