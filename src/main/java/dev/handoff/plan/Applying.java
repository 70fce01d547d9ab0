package dev.handoff.plan;

import java.time.Instant;

/// An apply that has begun: what becomes of it is found out by the next start, if this one does not
/// live to tell.
///
/// @param number counts the applies of the plan
/// @param target the real path of the directory
/// @param sets how many changesets of the chain are applied
/// @param head the hash of the last of them
public record Applying(int number, String target, int sets, String head, Instant at) {}
