package dev.handoff.job;

import dev.handoff.ledger.Checksum;
import dev.handoff.ledger.FactCodec;
import dev.handoff.store.HistoryRow;
import dev.handoff.store.KeptKey;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// How an ended job stands in history, and how it is read back.
public final class Archive {

  public static final String KIND = "job";

  private Archive() {}

  static HistoryRow row(JobState state, FactCodec codec) {
    var spec = state.spec();
    var at = state.endedAt().orElseThrow();
    return new HistoryRow(
        state.id().value(),
        KIND,
        state.status(at).label(),
        spec.type(),
        spec.queue(),
        spec.uniqueKey(),
        spec.plan(),
        labels(spec.options().labels()),
        state.attempt(),
        state.createdAt(),
        at,
        Checksum.behind(codec.encodeState(state)),
        spec.uniqueKey() == null ? null : ContentFingerprint.of(spec));
  }

  /// The key of a job that leaves no row.
  static KeptKey key(JobState state) {
    return new KeptKey(
        Objects.requireNonNull(state.spec().uniqueKey()),
        state.id().value(),
        ContentFingerprint.of(state.spec()),
        state.endedAt().orElseThrow());
  }

  /// @throws IOException if the row was written by a newer version, or is damaged
  public static JobState read(HistoryRow row, FactCodec codec) throws IOException {
    if (codec.decodeState(Checksum.verified(row.state())) instanceof JobState job
        && job.id().value().equals(row.id())) {
      return job;
    }
    throw new IOException("it is not the state of this job");
  }

  private static String labels(Map<String, String> labels) {
    return labels.isEmpty()
        ? ""
        : labels.entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .sorted()
            .collect(Collectors.joining("|", "|", "|"));
  }
}
