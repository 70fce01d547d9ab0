package dev.handoff.internal.plan;

import java.time.Instant;

/// Apply that has started. If this process dies, the next start finishes or undoes it.
///
/// @param number sequence number of the apply within its plan
/// @param target real path of the directory
/// @param sets number of changesets of the chain to apply
/// @param head hash of the last of these changesets
public record StartedApply(int number, String target, int sets, String head, Instant at) {}
