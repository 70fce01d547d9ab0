package dev.handoff;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.internal.text.SafeText;
import java.util.Locale;

/// Status of a job.
public enum JobStatus {
  /// Step of a plan that the plan has not released yet.
  WAITING,
  /// Waiting for its time: its start, or its next attempt.
  SCHEDULED,
  /// Due, waiting for a worker.
  QUEUED,
  /// Assigned to a worker; the handler has not begun.
  CLAIMED,
  RUNNING,
  /// Being stopped: after a cancel, a timeout, or a silence longer than its heartbeat timeout.
  CANCELLING,
  SUCCEEDED,
  FAILED,
  CANCELLED;

  /// Name that users see: `queued`.
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean isTerminal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED;
  }

  /// @throws IllegalArgumentException with the known statuses
  @JsonCreator
  public static JobStatus parse(String label) {
    for (var status : values()) {
      if (status.label().equals(label)) {
        return status;
      }
    }
    throw new IllegalArgumentException(
        "status \"%s\" does not exist; known: waiting, scheduled, queued, claimed, running, cancelling, succeeded, failed, cancelled"
            .formatted(SafeText.shown(label)));
  }
}
