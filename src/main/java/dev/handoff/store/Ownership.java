package dev.handoff.store;

/// The right to write one partition, until somebody raises the incarnation.
///
/// @param seq the number of the last batch that was written
public record Ownership(int partition, long incarnation, long seq) {}
