package dev.handoff.store;

import org.jspecify.annotations.Nullable;

/// Who owns a partition and how far it is written.
///
/// @param seq the last batch that was written
/// @param digest what that batch held
/// @param checkpoint the base of the last complete checkpoint, 0 if there is none
/// @param checkpointIncarnation whose it is: a base may have the unfinished checkpoint of another
///   owner too
/// @param lastRow the highest number in the ledger, 0 if it is empty
record PartitionRow(
    long incarnation,
    String owner,
    long seq,
    long digest,
    long checkpoint,
    long checkpointIncarnation,
    long lastRow) {

  PartitionRow takenOver(String by) {
    return new PartitionRow(
        incarnation + 1, by, seq, digest, checkpoint, checkpointIncarnation, lastRow);
  }

  PartitionRow written(Batch batch) {
    long written = batch.seq();
    return new PartitionRow(
        incarnation,
        owner,
        written,
        Content.digest(batch),
        checkpoint,
        checkpointIncarnation,
        written);
  }

  PartitionRow completed(CheckpointChunk last) {
    return new PartitionRow(
        incarnation, owner, seq, digest, last.base(), last.incarnation(), lastRow);
  }

  /// Whether this batch is the next one, from the owner.
  boolean expects(Batch batch) {
    return incarnation == batch.incarnation() && seq == batch.seq() - 1;
  }

  /// What to say to a batch that is not the next one.
  WriteResult answer(Batch batch) {
    if (incarnation != batch.incarnation()) {
      return fenced();
    }
    if (seq == batch.seq() && digest == Content.digest(batch)) {
      return new WriteResult.Written(seq);
    }
    return new WriteResult.Fenced(
        "%s: batch %d is written, and what was handed in as batch %d is not the next one"
            .formatted(owner, seq, batch.seq()));
  }

  /// What to say to a chunk that was not taken, or null if it may be.
  @Nullable WriteResult answer(CheckpointChunk chunk) {
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
