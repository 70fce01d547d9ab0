package dev.handoff.handlers;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Program of an attempt, as stored in the job's checkpoint. A pid alone may later name another
/// process; a pid with its start time is unique.
///
/// @param startedAt start time; null if the system does not report it
record StartedProcess(long pid, @Nullable Instant startedAt) {

  /// Tolerance of start times. The system counts from its boot time, which it rounds to seconds and
  /// corrects with the clock, so two readings of one process may differ.
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  static StartedProcess of(ProcessHandle process) {
    return new StartedProcess(process.pid(), process.info().startInstant().orElse(null));
  }

  /// Handle of the process, if the same process still runs.
  Optional<ProcessHandle> find() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isSame);
  }

  private boolean isSame(ProcessHandle process) {
    var start = process.info().startInstant();
    return startedAt != null
        && start.isPresent()
        && Duration.between(startedAt, start.get()).abs().compareTo(TOLERANCE) <= 0;
  }
}
