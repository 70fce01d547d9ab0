package dev.handoff.internal.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// History row of an ended job or plan: the columns for lists, and the whole state.
///
/// @param kind `job` or `plan`
/// @param key job key, unique in history; null = none
/// @param labels searchable text `|name=value|name=value|`, empty without labels
/// @param attempt number of the last attempt
/// @param fingerprint fingerprint of the request, for rows with a key: see [KeyHolder]. Null in
///   rows read back
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

  /// Kind of plans, whose content uses are released when the row is deleted.
  public static final String PLAN = "plan";

  /// Row without a fingerprint.
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
