package dev.handoff.job;

import dev.handoff.ledger.FactCodec;
import dev.handoff.store.HistoryRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

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
        spec.origin() == null ? null : spec.origin().plan(),
        labels(spec.options().labels()),
        state.attempt(),
        state.createdAt(),
        at,
        sealed(codec.encodeState(state)));
  }

  /// @throws IOException if the row was written by a newer version, or is damaged
  public static JobState read(HistoryRow row, FactCodec codec) throws IOException {
    var state = (JobState) codec.decodeState(unsealed(row.state()));
    if (!state.id().value().equals(row.id())) {
      throw new IOException("it holds job " + state.id());
    }
    return state;
  }

  /// With a checksum at its end: what a database gives back is not always what it was given, and a
  /// changed byte of a result would look like any other.
  private static byte[] sealed(byte[] state) {
    var sealed = Arrays.copyOf(state, state.length + Integer.BYTES);
    ByteBuffer.wrap(sealed).putInt(state.length, checksum(state, state.length));
    return sealed;
  }

  private static byte[] unsealed(byte[] sealed) throws IOException {
    int end = sealed.length - Integer.BYTES;
    if (end < 0 || ByteBuffer.wrap(sealed).getInt(end) != checksum(sealed, end)) {
      throw new IOException("its checksum does not fit its content");
    }
    return Arrays.copyOf(sealed, end);
  }

  private static int checksum(byte[] bytes, int length) {
    var crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
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
