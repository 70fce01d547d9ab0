package dev.handoff.cancel;

/// Reason for asking code to stop.
///
/// @param reason reason in the caller's words
/// @param by caller who asked
public record Cancellation(Cause cause, String reason, String by) {

  /// Kind of cancel.
  public enum Cause {
    /// A caller cancelled the job.
    REQUESTED,
    /// The attempt ran longer than its `timeout`.
    TIMEOUT,
    /// The attempt gave no sign of life for its `heartbeatTimeout`.
    HEARTBEAT,
    /// The engine is shutting down; the job runs again later, unless it may start only once.
    SHUTDOWN,
    /// The worker may no longer own the attempt; the engine refuses its result.
    LEASE_LOST
  }
}
