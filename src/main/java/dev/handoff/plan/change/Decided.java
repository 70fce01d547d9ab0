package dev.handoff.plan.change;

import java.time.Instant;

/// What an attempt decided, in its own words, for the steps after it.
public record Decided(String text, Instant at) {}
