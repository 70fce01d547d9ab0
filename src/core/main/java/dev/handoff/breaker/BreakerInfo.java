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
    Counts counts,
    List<LastError> lastErrors,
    List<BreakerChange> changes) {

  /// Error of a call, without its stack trace.
  public record LastError(JobError error, Instant at) {}

  public BreakerInfo {
    lastErrors = List.copyOf(lastErrors);
    changes = List.copyOf(changes);
  }

  /// Counters of a breaker since its creation. They are exact: every permit is outstanding or
  /// counted in exactly one of `successes`, `failures`, `released` and `lost`; the sum is `calls`.
  ///
  /// @param calls granted permits
  /// @param slow calls longer than `slow-after`, successful or failed
  /// @param rejected refused permit requests
  /// @param released calls that were cancelled or never made
  /// @param lost permits not reported within `lost-after`
  /// @param late reports without effect on the state: of an old generation, or of a permit already
  ///   reported or given up
  /// @param consecutive current run of failures
  public record Counts(
      long calls,
      long successes,
      long failures,
      long slow,
      long rejected,
      long released,
      long lost,
      long late,
      long consecutive) {}
}
