package dev.handoff.internal.ledger;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Format of a ledger row and of a checkpoint's chunk: version, number of entries, entries (id,
/// bytes), and a checksum over all of them. Corrupt or truncated content is thus detected before
/// decoding.
final class RowFormat {

  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 1 + Integer.BYTES;
  private static final int LEAST_ENTRY_BYTES = 1 + Integer.BYTES;

  private RowFormat() {}

  /// Entry of a row: entity id, and a fact or a state.
  record Entry(String entity, byte[] bytes) {}

  static byte[] ofFacts(List<Fact> facts) {
    return write(facts.stream().map(fact -> new Entry(fact.entity(), fact.encoded())).toList());
  }

  static byte[] write(List<Entry> entries) {
    int size = HEAD_BYTES + Checksum.BYTES;
    for (var entry : entries) {
      size += LEAST_ENTRY_BYTES + entry.entity().length() + entry.bytes().length;
    }
    var row = ByteBuffer.allocate(size).put(VERSION).putInt(entries.size());
    for (var entry : entries) {
      var id = entry.entity().getBytes(StandardCharsets.ISO_8859_1);
      row.put((byte) id.length).put(id).putInt(entry.bytes().length).put(entry.bytes());
    }
    return row.putInt(Checksum.of(row.array(), row.position())).array();
  }

  /// @throws IOException if the row is damaged
  static List<Entry> read(byte[] bytes) throws IOException {
    if (bytes.length < HEAD_BYTES + Checksum.BYTES) {
      throw new EOFException("only " + bytes.length + " bytes");
    }
    int end = Checksum.verifiedLength(bytes);
    var row = ByteBuffer.wrap(bytes, 0, end);
    int version = row.get();
    if (version != VERSION) {
      throw new IOException("it has format " + version + ", this version reads " + VERSION);
    }
    return entries(row);
  }

  private static List<Entry> entries(ByteBuffer row) throws IOException {
    int count = row.getInt();
    if (count < 0 || count > row.remaining() / LEAST_ENTRY_BYTES) {
      throw new IOException("it cannot have " + count + " entries");
    }
    var entries = new ArrayList<Entry>(count);
    for (int i = 0; i < count; i++) {
      var id = new String(next(row, row.get() & 0xFF), StandardCharsets.ISO_8859_1);
      entries.add(new Entry(id, next(row, row.getInt())));
    }
    if (row.hasRemaining()) {
      throw new IOException(row.remaining() + " bytes are left over");
    }
    return entries;
  }

  private static byte[] next(ByteBuffer row, int length) throws IOException {
    if (length < 0 || length > row.remaining()) {
      throw new EOFException("an entry of " + length + " bytes, with " + row.remaining() + " left");
    }
    var bytes = new byte[length];
    row.get(bytes);
    return bytes;
  }
}
