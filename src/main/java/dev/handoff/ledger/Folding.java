package dev.handoff.ledger;

import dev.handoff.store.Replay;
import dev.handoff.store.StoreException;
import java.io.IOException;

/// How stored rows become states again.
record Folding(FactCodec codec, Fold fold) {

  /// @throws StoreException.Unreadable naming the place that cannot be read
  void into(LiveStates states, Replay.Piece piece) {
    try {
      for (var entry : Rows.read(piece.bytes())) {
        switch (piece) {
          case Replay.States chunk -> states.put(codec.decodeState(entry.bytes()));
          case Replay.Facts row ->
              fold.fold(states, entry.entity(), codec.decodeFact(entry.bytes()));
        }
      }
    } catch (IOException | RuntimeException damaged) {
      throw new StoreException.Unreadable(piece.place() + ": " + damaged.getMessage(), damaged);
    }
  }
}
