package dev.handoff.internal.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// Reads and writes log rows, for tests that inspect an engine's store.
public final class StoredFacts {

  private StoredFacts() {}

  /// Fact with the id of its entity.
  public record Stored(String entity, StoredEvent event) {}

  /// Facts of a row, in order.
  public static List<Stored> in(byte[] row, FactCodec codec) {
    try {
      return RowFormat.read(row).stream().map(entry -> read(entry, codec)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Row with one fact, which can be any bytes.
  public static byte[] row(String entity, byte[] fact) {
    return RowFormat.write(List.of(new RowFormat.Entry(entity, fact)));
  }

  private static Stored read(RowFormat.Entry entry, FactCodec codec) {
    try {
      return new Stored(entry.entity(), codec.decodeFact(entry.bytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
