package dev.handoff.breaker;

import dev.handoff.JobError;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Current state of a breaker.
///
/// @param since start of this state
/// @param retryAt earliest time of the next trial call; null if the state is not `open`
/// @param out outstanding permits
/// @param lastErrors latest call errors, oldest first
/// @param changes latest transitions, oldest first
public record BreakerInfo(
    String name,
    BreakerStatus status,
    Instant since,
    @Nullable Instant retryAt,
    int out,
    BreakerCounts counts,
    List<LastError> lastErrors,
    List<BreakerChange> changes) {

  /// Error of a call, without its stack trace.
  public record LastError(JobError error, Instant at) {}

  public BreakerInfo {
    lastErrors = List.copyOf(lastErrors);
    changes = List.copyOf(changes);
  }
}
