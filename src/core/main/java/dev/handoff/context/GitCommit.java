package dev.handoff.context;

import java.time.Instant;
import java.util.SortedSet;

/// A git commit.
///
/// @param files changed files of the workspace
public record GitCommit(
    String id, Instant at, String author, String message, SortedSet<String> files) {}
