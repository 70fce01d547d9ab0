package dev.handoff.handlers;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The program of an attempt, as its job remembers it: a pid alone names another process some day,
/// a pid and a start time do not.
///
/// @param startedAt null where the system does not tell
record StartedProcess(long pid, @Nullable Instant startedAt) {

  /// The system counts from its boot, whose time it gives in whole seconds and corrects with the
  /// clock: two readings of one process may differ by as much.
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  static StartedProcess of(ProcessHandle process) {
    return new StartedProcess(process.pid(), process.info().startInstant().orElse(null));
  }

  /// The process, if it still runs and is the same.
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
