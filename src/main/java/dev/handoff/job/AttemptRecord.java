package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An attempt that is over, as history keeps it.
///
/// @param worker the pool and worker that ran it
/// @param startedAt null if its handler was never called, as far as the job knows
/// @param cause null if it succeeded
/// @param abandoned whether its code may have run on
/// @param late what arrived of it after it was over, refused by its fence; null = nothing
public record AttemptRecord(
    int number,
    String worker,
    Instant claimedAt,
    @Nullable Instant startedAt,
    Instant endedAt,
    @Nullable EndCause cause,
    @Nullable JobError error,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean abandoned,
    @Nullable String late) {

  AttemptRecord withLate(String what) {
    return new AttemptRecord(
        number, worker, claimedAt, startedAt, endedAt, cause, error, abandoned, what);
  }

  AttemptRecord brief() {
    return error == null
        ? this
        : new AttemptRecord(
            number, worker, claimedAt, startedAt, endedAt, cause, error.brief(), abandoned, late);
  }
}
