package dev.handoff.ledger;

import dev.handoff.store.Batch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// What a batch tells, for tests that look at what passes by.
public final class Told {

  private Told() {}

  public static List<StoredEvent> facts(Batch batch, FactCodec codec) {
    try {
      return Rows.read(batch.facts()).stream().map(entry -> decoded(entry, codec)).toList();
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
  }

  /// A row of a ledger with one fact.
  public static byte[] row(String entity, byte[] fact) {
    return Rows.write(List.of(new Rows.Entry(entity, fact)));
  }

  private static StoredEvent decoded(Rows.Entry entry, FactCodec codec) {
    try {
      return codec.decodeFact(entry.bytes());
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
  }
}
