package dev.handoff.internal.job;

import java.time.Instant;

/// Operator's retry of an ended job.
public record OperatorRetry(String by, Instant at) {}
