package dev.handoff.store;

import org.jspecify.annotations.Nullable;

/// Which rows of history to list. What is null does not restrict.
///
/// @param label `name=value`
/// @param before only ids lower than this one: the cursor of the page before
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
