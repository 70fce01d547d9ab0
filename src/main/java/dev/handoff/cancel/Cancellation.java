package dev.handoff.cancel;

/// Why code was asked to stop.
///
/// @param reason in the words of whoever asked
/// @param by who asked
public record Cancellation(Cause cause, String reason, String by) {

  /// What kind of request it was.
  public enum Cause {
    /// Somebody cancelled the job.
    REQUESTED,
    /// The attempt ran longer than its `timeout`.
    TIMEOUT,
    /// The attempt gave no sign of life for its `heartbeatTimeout`.
    HEARTBEAT,
    /// The engine stops; the job will be run again.
    SHUTDOWN,
    /// The worker may no longer own the attempt; whatever it returns will be refused.
    LEASE_LOST
  }
}
