package dev.handoff;

/// Progress of an attempt, as its handler reported it.
///
/// @param fraction completed part, 0 to 1
public record JobProgress(double fraction, String message) {}
