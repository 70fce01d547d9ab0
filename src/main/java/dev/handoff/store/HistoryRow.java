package dev.handoff.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A job or plan that has ended: the columns that lists need, and its whole state.
///
/// @param kind `job` or `plan`
/// @param key unique in history, if there is one
/// @param labels as text for searching: `|name=value|name=value|`, empty without labels
/// @param attempt the number of the last attempt
public record HistoryRow(
    String id,
    String kind,
    String status,
    String type,
    String queue,
    @Nullable String key,
    @Nullable String plan,
    String labels,
    int attempt,
    Instant createdAt,
    Instant finishedAt,
    byte[] state) {

  /// The kind of plans: what they used of contents is given back when their row goes.
  public static final String PLAN = "plan";
}
