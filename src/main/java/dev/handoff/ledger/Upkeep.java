package dev.handoff.ledger;

import dev.handoff.store.Ownership;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/// Keeps a log short: writes checkpoints piece by piece, and deletes the rows that a complete one
/// supersedes slice by slice. Belongs to the ledger, which lets it write between two batches.
final class Upkeep {

  private static final int TRIM_ROWS = 200;

  private final ActorContext<Ledger.Command> context;
  private final LedgerEnvironment environment;
  private final Ownership ownership;
  private final Checkpoints checkpoints;
  private Checkpoints.@Nullable Piece piece;
  private boolean trimming;

  Upkeep(
      ActorContext<Ledger.Command> context,
      LedgerEnvironment environment,
      Ledger.Recovered recovered) {
    this.context = context;
    this.environment = environment;
    this.ownership = recovered.ownership();
    this.checkpoints = new Checkpoints(environment.settings(), recovered);
  }

  /// Whether there is something to write.
  boolean isDue() {
    return piece != null || trimming;
  }

  /// Writes it. Answered with [Ledger.PieceWrote] or [Ledger.Trimmed].
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

  /// A batch is durable: the log has grown.
  void logged(int bytes, long seq, LiveStates states) {
    checkpoints.logged(bytes, seq, states).ifPresent(this::encode);
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
  }

  void onPieceRefused(String reason) {
    context
        .getLog()
        .error("partition [{}]: a checkpoint was refused: {}", ownership.partition(), reason);
    checkpoints.abandon();
    piece = null;
  }

  /// A slice of rows is gone, or could not be deleted: what is left goes with the next checkpoint.
  void onTrimmed(boolean more) {
    trimming = more;
  }

  /// Encoding takes a while, so it is done beside the actor.
  private void encode(Checkpoints.Draft draft) {
    int size = environment.settings().chunk();
    context.pipeToSelf(
        environment.compute(() -> draft.encode(ownership, environment.codec(), size)),
        Ledger.PieceEncoded::new);
  }
}
