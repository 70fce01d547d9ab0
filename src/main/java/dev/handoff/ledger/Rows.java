package dev.handoff.ledger;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/// The form of a ledger row and of a checkpoint's chunk: a version, the entries (id, bytes), and a checksum over all of
/// it, so that a flipped or missing byte is found before anything is made of it.
final class Rows {

  private static final int VERSION = 1;
  private static final int CHECKSUM_BYTES = 4;

  private Rows() {}

  /// One entry: an entity's id, and a fact or a state.
  record Entry(String entity, byte[] bytes) {}

  static byte[] write(List<Entry> entries) {
    var bytes = new ByteArrayOutputStream(64 + entries.stream().mapToInt(e -> e.bytes().length + 32).sum());
    var checksum = new CRC32C();
    try (var out = new DataOutputStream(new CheckedOutputStream(bytes, checksum))) {
      out.writeByte(VERSION);
      out.writeInt(entries.size());
      for (var entry : entries) {
        var id = entry.entity().getBytes(StandardCharsets.ISO_8859_1);
        out.writeByte(id.length);
        out.write(id);
        out.writeInt(entry.bytes().length);
        out.write(entry.bytes());
      }
      out.writeInt((int) checksum.getValue());
    } catch (IOException inMemory) {
      throw new UncheckedIOException(inMemory);
    }
    return bytes.toByteArray();
  }

  /// @throws IOException if the row is not whole
  static List<Entry> read(byte[] row) throws IOException {
    if (row.length < CHECKSUM_BYTES + 5) {
      throw new EOFException("only " + row.length + " bytes");
    }
    int end = row.length - CHECKSUM_BYTES;
    var tail = new DataInputStream(new ByteArrayInputStream(row, end, CHECKSUM_BYTES));
    if (tail.readInt() != checksum(row, end)) {
      throw new IOException("its checksum does not fit its content");
    }
    var in = new DataInputStream(new ByteArrayInputStream(row, 0, end));
    int version = in.readByte();
    if (version != VERSION) {
      throw new IOException("it has format " + version + ", this version reads " + VERSION);
    }
    int count = in.readInt();
    var entries = new ArrayList<Entry>(count);
    for (int i = 0; i < count; i++) {
      var id = new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.ISO_8859_1);
      entries.add(new Entry(id, in.readNBytes(in.readInt())));
    }
    return entries;
  }

  private static int checksum(byte[] bytes, int length) {
    var crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
