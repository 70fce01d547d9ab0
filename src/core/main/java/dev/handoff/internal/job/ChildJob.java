package dev.handoff.internal.job;

import dev.handoff.JobId;
import org.jspecify.annotations.Nullable;

/// Child of a job, in the parent's records.
///
/// @param fingerprint hash of the child's content: tells a repeated submission from a conflicting
///   one
public record ChildJob(JobId id, @Nullable String key, String fingerprint) {}
