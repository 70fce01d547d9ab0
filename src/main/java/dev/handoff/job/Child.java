package dev.handoff.job;

import org.jspecify.annotations.Nullable;

/// A job that another one submitted, as the parent remembers it.
///
/// @param fingerprint of its content, to tell a repeated submission from a conflicting one
public record Child(JobId id, @Nullable String key, String fingerprint) {}
