package dev.handoff.internal.ledger;

import dev.handoff.internal.store.CheckpointChunk;
import dev.handoff.internal.store.PartitionOwnership;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Schedules checkpoints of a ledger's live states, and cuts them into pieces.
///
/// A checkpoint is due when the log since the last one exceeds both a minimum size and twice that
/// checkpoint's size. The states are copied once, by reference. So a checkpoint holds exactly the
/// states after the batch that triggered it, however long its write takes.
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

  /// Piece that is not encoded yet.
  ///
  /// @param base last batch whose effects the checkpoint contains
  /// @param from index of the first state not in an earlier piece
  record Draft(List<EntityState> states, long base, int number, int from) {

    /// Encodes as many states as fit. Slow: not for an actor's thread.
    Piece encode(PartitionOwnership owner, FactCodec codec, int size) {
      var entries = new ArrayList<RowFormat.Entry>();
      int next = from;
      for (int bytes = 0; next < states.size() && bytes < size; next++) {
        var state = states.get(next);
        var encoded = codec.encodeState(state);
        entries.add(new RowFormat.Entry(state.id().value(), encoded));
        bytes += encoded.length;
      }
      boolean last = next == states.size();
      var chunk =
          new CheckpointChunk(
              owner.partition(), owner.incarnation(), base, number, RowFormat.write(entries), last);
      return new Piece(chunk, new Draft(states, base, number + 1, next));
    }
  }

  /// Encoded piece, with the draft of the next one.
  record Piece(CheckpointChunk chunk, Draft rest) {}

  /// Counts a written batch.
  ///
  /// @return first piece of a checkpoint, if one is due now
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
  /// @return next piece, unless this was the last
  Optional<Draft> written(Piece piece) {
    stateBytes += piece.chunk().states().length;
    if (!piece.chunk().last()) {
      return Optional.of(piece.rest());
    }
    running = false;
    lastStateBytes = stateBytes;
    return Optional.empty();
  }

  /// Drops the checkpoint in progress; the next one is due after the log has grown again.
  void abandon() {
    running = false;
  }
}
