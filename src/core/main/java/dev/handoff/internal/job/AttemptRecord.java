package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.JobError;
import dev.handoff.internal.text.SafeText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Record of an ended attempt in history.
///
/// @param worker pool and worker that ran the attempt
/// @param startedAt null if the job knows of no handler call
/// @param cause null for a success
/// @param abandoned whether the handler's code may have run on
/// @param late report that arrived after the end and was fenced; null = none
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

  /// Whether the attempt returned a result too late.
  boolean isDiscarded() {
    return DISCARDED.equals(late);
  }

  /// Whether this report ended the attempt. An abandoned attempt ended without a report of its own.
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
            number, worker, claimedAt, startedAt, endedAt, cause, brief(error), abandoned, late);
  }

  /// Error without stack trace and with a short message.
  static JobError brief(JobError error) {
    return new JobError(error.type(), SafeText.clean(error.message(), 200), "");
  }
}
