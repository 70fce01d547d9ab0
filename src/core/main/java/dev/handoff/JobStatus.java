package dev.handoff;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.internal.text.SafeText;
import java.util.Locale;

/// All statuses of a job.
public enum JobStatus {
  WAITING,
  SCHEDULED,
  QUEUED,
  CLAIMED,
  RUNNING,
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
