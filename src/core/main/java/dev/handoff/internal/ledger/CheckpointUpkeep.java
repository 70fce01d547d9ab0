package dev.handoff.internal.ledger;

import dev.handoff.internal.store.PartitionOwnership;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Keeps a log short: writes checkpoints piece by piece, and deletes superseded rows slice by
/// slice. Belongs to the ledger, which lets it write between two batches.
///
/// Upkeep rests between two pieces, so that a quiet ledger stays fast: a batch that arrives
/// meanwhile finds the disk free. But a busy ledger's log must not grow faster than it is trimmed.
/// So a rest ends early once a quarter of a piece was logged, and pieces grow with the batches.
/// With pieces of fixed size, a log of large batches grew so much during a checkpoint that the next
/// one was due at its end, and hardly any row was deleted.
final class CheckpointUpkeep {

  private static final int TRIM_ROWS = 200;
  private static final int PIECE_PER_BATCH = 4;
  private static final int MOST_PER_PIECE = 1 << 20;
  private static final String REST = "rest";

  private final ActorContext<Ledger.Command> context;
  private final TimerScheduler<Ledger.Command> timers;
  private final LedgerEnvironment environment;
  private final PartitionOwnership ownership;
  private final Checkpoints checkpoints;
  private Checkpoints.@Nullable Piece piece;
  private boolean trimming;
  private boolean resting;
  private long loggedAtRest;
  private long lastBatch;

  CheckpointUpkeep(
      ActorContext<Ledger.Command> context,
      TimerScheduler<Ledger.Command> timers,
      LedgerEnvironment environment,
      Ledger.Recovered recovered) {
    this.context = context;
    this.timers = timers;
    this.environment = environment;
    this.ownership = recovered.ownership();
    this.checkpoints = new Checkpoints(environment.settings(), recovered);
  }

  /// Whether a piece or a slice is due.
  boolean isDue() {
    return !resting && (piece != null || trimming);
  }

  /// Writes the due piece or deletes the due slice. Answered with [Ledger.PieceWrote] or
  /// [Ledger.Trimmed].
  void start() {
    var store = environment.store();
    if (piece != null) {
      context.pipeToSelf(
          environment.answered(store.writeChunk(piece.chunk())),
          (result, never) -> new Ledger.PieceWrote(result));
    } else {
      context.pipeToSelf(
          store.trim(ownership.partition(), ownership.incarnation(), TRIM_ROWS),
          (more, failure) -> new Ledger.Trimmed(failure == null && more));
    }
  }

  /// Counts a durable batch: the log has grown.
  void logged(int bytes, long seq, LiveStates states) {
    lastBatch = bytes;
    checkpoints.logged(bytes, seq, states).ifPresent(this::encode);
    loggedAtRest += bytes;
    resting &= loggedAtRest < environment.settings().chunk() / 4;
  }

  void onEncoded(Checkpoints.@Nullable Piece encoded, @Nullable Throwable failure) {
    if (failure == null) {
      piece = encoded;
    } else {
      context.getLog().error("partition [{}]: a checkpoint failed", ownership.partition(), failure);
      checkpoints.abandon();
    }
  }

  void onPieceWritten() {
    trimming |= piece.chunk().last();
    checkpoints.written(piece).ifPresent(this::encode);
    piece = null;
    rest();
  }

  void onPieceRefused(String reason) {
    context
        .getLog()
        .error("partition [{}]: a checkpoint was refused: {}", ownership.partition(), reason);
    checkpoints.abandon();
    piece = null;
  }

  /// Abandons the checkpoint, which can wait. Appends must not wait for it, neither in an outage
  /// nor if the store refuses only this piece.
  void onPieceAway(String reason) {
    context
        .getLog()
        .warn(
            "partition [{}]: a checkpoint is given up, the next one is due later: {}",
            ownership.partition(),
            reason);
    checkpoints.abandon();
    piece = null;
  }

  /// Handles a deleted slice, or a failed deletion: remaining rows go with the next checkpoint.
  void onTrimmed(boolean more) {
    trimming = more;
    rest();
  }

  void onRested() {
    resting = false;
  }

  private void rest() {
    resting = true;
    loggedAtRest = 0;
    timers.startSingleTimer(REST, Ledger.Rested.INSTANCE, environment.settings().rest());
  }

  /// Encodes a piece on another thread, because encoding is slow.
  private void encode(Checkpoints.Draft draft) {
    int size = pieceSize();
    context.pipeToSelf(
        environment.compute(() -> draft.encode(ownership, environment.codec(), size)),
        Ledger.PieceEncoded::new);
  }

  private int pieceSize() {
    long paced = Math.min(MOST_PER_PIECE, PIECE_PER_BATCH * lastBatch);
    return (int) Math.max(environment.settings().chunk(), paced);
  }
}
