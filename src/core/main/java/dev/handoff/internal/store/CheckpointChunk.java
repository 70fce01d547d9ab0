package dev.handoff.internal.store;

/// Chunk of a checkpoint, about 1 MiB at most.
///
/// @param base number of the last batch included in the checkpoint; identifies the checkpoint
/// @param number index within the checkpoint, from 0
/// @param last whether this chunk completes the checkpoint
public record CheckpointChunk(
    int partition, long incarnation, long base, int number, byte[] states, boolean last) {}
