package dev.handoff.internal.job;

import java.util.Locale;

/// Cause of an attempt's unsuccessful end. Every cause but `CANCELLED` is also a recorded cause of
/// another start.
public enum EndCause {
  FAILED,
  TIMED_OUT,
  HEARTBEAT_LOST,
  WORKER_LOST,
  SHUTDOWN,
  NEVER_STARTED,
  LATER,
  CANCELLED;

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
