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

  static final String DISCARDED =
      "its result came after the job was asked to stop, and was discarded";

  /// Whether it had a result, which came too late.
  boolean isDiscarded() {
    return DISCARDED.equals(late);
  }

  /// Whether a report is the one that ended the attempt. One that was given up was not ended by its
  /// own.
  boolean wasEndedBy(AttemptReport report) {
    boolean counted = cause == null || isDiscarded() || isUnstorable();
    return !abandoned && (report instanceof AttemptReport.Returned ? counted : cause != null);
  }

  private boolean isUnstorable() {
    return error != null && error.type().equals(JobCommand.UNSTORABLE);
  }

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
