package dev.handoff.job;

import java.util.Locale;

/// Why an attempt ended without success. Each of these but `CANCELLED` is a recorded cause for
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
