package dev.handoff.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// What is in a row of the log, for tests that look over an engine's shoulder.
public final class StoredFacts {

  private StoredFacts() {}

  /// A fact, and the id of its entity.
  public record Stored(String entity, StoredEvent event) {}

  /// The facts of a row, in their order.
  public static List<Stored> in(byte[] row, FactCodec codec) {
    try {
      return Rows.read(row).stream().map(entry -> read(entry, codec)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A row with one fact, whatever that is.
  public static byte[] row(String entity, byte[] fact) {
    return Rows.write(List.of(new Rows.Entry(entity, fact)));
  }

  private static Stored read(Rows.Entry entry, FactCodec codec) {
    try {
      return new Stored(entry.entity(), codec.decodeFact(entry.bytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
