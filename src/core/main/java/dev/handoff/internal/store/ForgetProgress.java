package dev.handoff.internal.store;

/// Progress of a deletion in history.
///
/// @param next start of the next slice
/// @param more whether more rows before the requested time may exist
public record ForgetProgress(HistoryPlace next, boolean more) {}
