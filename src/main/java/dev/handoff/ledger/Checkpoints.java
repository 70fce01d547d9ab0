package dev.handoff.ledger;

import dev.handoff.store.CheckpointChunk;
import dev.handoff.store.Ownership;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Decides when a ledger's live states are written as a checkpoint, and cuts them into pieces.
///
/// A checkpoint is due when the log since the last one is larger than both the least size worth it
/// and twice that checkpoint. The states are copied once, by reference, so that a checkpoint is
/// exactly what the states were after the batch that made it due, however long it takes to write.
final class Checkpoints {

  private final LedgerSettings settings;
  private long logBytes;
  private long lastStateBytes;
  private long stateBytes;
  private boolean running;

  Checkpoints(LedgerSettings settings, Ledger.Recovered recovered) {
    this.settings = settings;
    this.logBytes = recovered.logBytes();
    this.lastStateBytes = recovered.stateBytes();
  }

  /// A piece that is still to be encoded.
  ///
  /// @param base the batch whose effects the checkpoint holds
  /// @param from the first of the states that are not in an earlier piece
  record Draft(List<EntityState> states, long base, int number, int from) {

    /// Encodes as many states as fit. Takes a while: not for an actor's thread.
    Piece encode(Ownership owner, FactCodec codec, int size) {
      var entries = new ArrayList<Rows.Entry>();
      int next = from;
      for (int bytes = 0; next < states.size() && bytes < size; next++) {
        var state = states.get(next);
        var encoded = codec.encodeState(state);
        entries.add(new Rows.Entry(state.id().value(), encoded));
        bytes += encoded.length;
      }
      boolean last = next == states.size();
      var chunk =
          new CheckpointChunk(
              owner.partition(), owner.incarnation(), base, number, Rows.write(entries), last);
      return new Piece(chunk, new Draft(states, base, number + 1, next));
    }
  }

  /// An encoded piece, and the draft of the one after it.
  record Piece(CheckpointChunk chunk, Draft rest) {}

  /// Counts a written batch.
  ///
  /// @return the first piece of a checkpoint, if one is due now
  Optional<Draft> logged(int bytes, long seq, LiveStates states) {
    logBytes += bytes;
    if (running || logBytes <= Math.max(settings.checkpointAfter(), 2 * lastStateBytes)) {
      return Optional.empty();
    }
    running = true;
    logBytes = 0;
    stateBytes = 0;
    return Optional.of(new Draft(states.copy(), seq, 0, 0));
  }

  /// Counts a written piece.
  ///
  /// @return the next one, unless that was the last
  Optional<Draft> written(Piece piece) {
    stateBytes += piece.chunk().states().length;
    if (!piece.chunk().last()) {
      return Optional.of(piece.rest());
    }
    running = false;
    lastStateBytes = stateBytes;
    return Optional.empty();
  }

  /// Forgets the checkpoint under way; the next one is due when the log has grown again.
  void abandon() {
    running = false;
  }
}
