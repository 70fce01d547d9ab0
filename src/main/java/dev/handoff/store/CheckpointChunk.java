package dev.handoff.store;

/// A piece of a checkpoint, at most about 1 MiB.
///
/// @param base the number of the last batch whose effects the checkpoint holds; names the
///   checkpoint
/// @param number 0, 1, 2 … within the checkpoint
/// @param last whether the checkpoint is complete with this chunk
public record CheckpointChunk(
    int partition, long incarnation, long base, int number, byte[] states, boolean last) {}
