package dev.handoff.internal.store;

import org.jspecify.annotations.Nullable;

/// Filter for a list of history rows. Null fields do not restrict.
///
/// @param label `name=value`
/// @param before keyset cursor of the previous page: only lower ids
/// @param limit 1 to 10,000
public record HistoryQuery(
    @Nullable String kind,
    @Nullable String status,
    @Nullable String type,
    @Nullable String queue,
    @Nullable String plan,
    @Nullable String label,
    @Nullable String before,
    int limit) {

  public static HistoryQuery newest(int limit) {
    return new HistoryQuery(null, null, null, null, null, null, null, limit);
  }
}
