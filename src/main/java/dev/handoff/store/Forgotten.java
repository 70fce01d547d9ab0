package dev.handoff.store;

/// How far a slice of history was looked through.
///
/// @param next where the next slice begins
/// @param more whether there may be more to delete before the time that was asked for
public record Forgotten(HistoryPlace next, boolean more) {}
