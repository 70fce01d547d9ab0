package dev.handoff.context.breaker;

import dev.handoff.job.JobError;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A breaker as it is now.
///
/// @param since when it came into this state
/// @param retryAt when a call will be let through again, as a trial; null if one may be now, or if
///   that is not a matter of time
/// @param out permits that were given and not reported yet
/// @param lastErrors what calls failed with lately, oldest first
/// @param changes the last changes of state, oldest first
public record BreakerInfo(
    String name,
    BreakerStatus status,
    Instant since,
    @Nullable Instant retryAt,
    int out,
    BreakerCounts counts,
    List<LastError> lastErrors,
    List<BreakerChange> changes)
    implements Breakers.Reply {

  /// What a call failed with, without its stack trace.
  public record LastError(JobError error, Instant at) {}

  public BreakerInfo {
    lastErrors = List.copyOf(lastErrors);
    changes = List.copyOf(changes);
  }
}
