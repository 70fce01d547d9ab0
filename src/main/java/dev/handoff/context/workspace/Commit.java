package dev.handoff.context.workspace;

import java.time.Instant;
import java.util.SortedSet;

/// A commit of a git repository.
///
/// @param files of the workspace that it changed
public record Commit(
    String id, Instant at, String author, String message, SortedSet<String> files) {}
