package dev.handoff.internal.ledger;

import dev.handoff.StoreException;
import dev.handoff.internal.store.PartitionReplay;
import java.io.IOException;

/// Replay of stored rows into live states.
record RowFolding(FactCodec codec, StateFold fold) {

  /// @throws StoreException.Unreadable with the place of the damaged row
  void into(LiveStates states, PartitionReplay.Piece piece) {
    try {
      for (var entry : RowFormat.read(piece.bytes())) {
        switch (piece) {
          case PartitionReplay.States chunk -> states.put(codec.decodeState(entry.bytes()));
          case PartitionReplay.Facts row ->
              fold.fold(states, entry.entity(), codec.decodeFact(entry.bytes()));
        }
      }
    } catch (IOException | RuntimeException damaged) {
      throw new StoreException.Unreadable(piece.place() + ": " + damaged.getMessage(), damaged);
    }
  }
}
