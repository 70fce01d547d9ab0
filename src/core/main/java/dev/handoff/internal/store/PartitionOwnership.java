package dev.handoff.internal.store;

/// Right to write one partition, until another owner raises the incarnation (fencing token).
///
/// @param seq number of the last written batch
public record PartitionOwnership(int partition, long incarnation, long seq) {}
