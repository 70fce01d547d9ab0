package dev.handoff.internal.job;

import dev.handoff.internal.ledger.Checksum;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.KeptKey;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// History row of an ended job: writes and reads it.
public final class JobArchive {

  public static final String KIND = "job";

  private JobArchive() {}

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

  /// Key of a job without history row.
  static KeptKey key(JobState state) {
    return new KeptKey(
        Objects.requireNonNull(state.spec().uniqueKey()),
        state.id().value(),
        ContentFingerprint.of(state.spec()),
        state.endedAt().orElseThrow());
  }

  /// @throws IOException if a newer version wrote the row, or the row is damaged
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
