package dev.handoff.plan;

import java.time.Instant;

/// An apply that was written.
///
/// @param target the real path of the directory
/// @param sets how many changesets of the chain it holds
/// @param head the hash of the last of them
/// @param files how many files were created, changed or deleted
public record Applied(int number, String target, int sets, String head, int files, Instant at) {}
