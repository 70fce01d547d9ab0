package dev.handoff.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A job or plan that has ended: the columns that lists need, and its whole state.
///
/// @param kind `job` or `plan`
/// @param key unique in history, if there is one
/// @param labels as text for searching: `|name=value|name=value|`, empty without labels
/// @param attempt the number of the last attempt
/// @param fingerprint of what was asked for, if there is a key: see [KeyHolder]. Null in rows that
///   are read
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
    byte[] state,
    @Nullable String fingerprint) {

  /// The kind of plans: what they used of contents is given back when their row goes.
  public static final String PLAN = "plan";

  /// A row without a fingerprint.
  public HistoryRow(
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
    this(
        id,
        kind,
        status,
        type,
        queue,
        key,
        plan,
        labels,
        attempt,
        createdAt,
        finishedAt,
        state,
        null);
  }
}
