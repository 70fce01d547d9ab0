package dev.handoff.job;

import java.time.Instant;

/// A retry by an operator: an ended job was opened again.
public record Reopening(String by, Instant at) {}
