package dev.handoff.internal.plan;

import java.time.Instant;

/// Completed apply of changes to a directory.
///
/// @param target real path of the directory
/// @param sets number of changesets of the chain in the directory
/// @param head hash of the last of these changesets
/// @param files number of files created, changed or deleted
public record WrittenApply(
    int number, String target, int sets, String head, int files, Instant at) {}
