package dev.handoff.internal.store;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/// History rows with default values for all irrelevant columns.
public final class HistoryRows {

  public static final Instant CREATED = Instant.parse("2026-03-01T10:00:00.123Z");
  public static final Instant FINISHED = Instant.parse("2026-03-01T10:00:05.456Z");

  private HistoryRows() {}

  /// Id of realistic length; ids sort like their numbers.
  public static String id(long number) {
    return "01JNZ8Q5%018d".formatted(number);
  }

  public static HistoryRow row(long number) {
    return of(number, "succeeded", null);
  }

  public static HistoryRow keyed(long number, String key) {
    return of(number, "succeeded", key);
  }

  public static HistoryRow fingerprinted(long number, String key, String fingerprint) {
    var row = keyed(number, key);
    return new HistoryRow(
        row.id(),
        row.kind(),
        row.status(),
        row.type(),
        row.queue(),
        key,
        row.plan(),
        row.labels(),
        row.attempt(),
        row.createdAt(),
        row.finishedAt(),
        row.state(),
        fingerprint);
  }

  public static HistoryRow of(long number, String status, String key) {
    return of(number, status, key, FINISHED, bytes("state " + number));
  }

  /// Row of a job that ended this number of seconds later.
  public static HistoryRow finished(long number, long seconds) {
    return of(number, "succeeded", null, FINISHED.plusSeconds(seconds), bytes("state"));
  }

  private static HistoryRow of(
      long number, String status, String key, Instant finishedAt, byte[] state) {
    return new HistoryRow(
        id(number),
        "job",
        status,
        "thumbnail",
        "default",
        key,
        null,
        "",
        1,
        CREATED,
        finishedAt,
        state);
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
