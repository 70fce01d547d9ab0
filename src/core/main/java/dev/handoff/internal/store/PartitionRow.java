package dev.handoff.internal.store;

import org.jspecify.annotations.Nullable;

/// Row of a partition: its owner and its progress.
///
/// @param seq number of the last written batch
/// @param digest digest of that batch
/// @param checkpoint base of the last complete checkpoint, 0 if there is none
/// @param checkpointIncarnation incarnation that wrote it: another owner's unfinished checkpoint
///   may have the same base
/// @param lastRow highest number in the ledger, 0 if the ledger is empty
public record PartitionRow(
    long incarnation,
    String owner,
    long seq,
    long digest,
    long checkpoint,
    long checkpointIncarnation,
    long lastRow) {

  public PartitionRow takenOver(String by) {
    return new PartitionRow(
        incarnation + 1, by, seq, digest, checkpoint, checkpointIncarnation, lastRow);
  }

  public PartitionRow written(StoreBatch batch) {
    long written = batch.seq();
    return new PartitionRow(
        incarnation,
        owner,
        written,
        BatchCheck.digest(batch),
        checkpoint,
        checkpointIncarnation,
        written);
  }

  public PartitionRow completed(CheckpointChunk last) {
    return new PartitionRow(
        incarnation, owner, seq, digest, last.base(), last.incarnation(), lastRow);
  }

  /// Returns whether the batch is the next one, and from the owner.
  public boolean expects(StoreBatch batch) {
    return incarnation == batch.incarnation() && seq == batch.seq() - 1;
  }

  /// Answer to a batch out of sequence or of a former owner.
  public WriteResult answer(StoreBatch batch) {
    if (incarnation != batch.incarnation()) {
      return fenced();
    }
    if (seq == batch.seq() && digest == BatchCheck.digest(batch)) {
      return new WriteResult.Written(seq);
    }
    return new WriteResult.Fenced(
        "%s: batch %d is written, and what was handed in as batch %d is not the next one"
            .formatted(owner, seq, batch.seq()));
  }

  /// Answer to a chunk that was not written; null if nothing forbids it.
  public @Nullable WriteResult answer(CheckpointChunk chunk) {
    if (incarnation != chunk.incarnation()) {
      return fenced();
    }
    if (checkpoint == chunk.base()) {
      return new WriteResult.Written(chunk.base());
    }
    if (checkpoint > chunk.base()) {
      return new WriteResult.Refused(
          "checkpoint %d is complete, %d is older".formatted(checkpoint, chunk.base()));
    }
    if (chunk.base() > seq) {
      return new WriteResult.Refused(
          "checkpoint %d is ahead of the last batch %d".formatted(chunk.base(), seq));
    }
    return null;
  }

  private WriteResult fenced() {
    return new WriteResult.Fenced("%s, incarnation %d".formatted(owner, incarnation));
  }
}
