package dev.handoff;

/// How far an attempt says it is.
///
/// @param fraction 0 to 1
public record JobProgress(double fraction, String message) {}
