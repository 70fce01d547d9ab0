package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// The statuses that a job can be seen in: all of them.
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

  /// The name that users see: `queued`.
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean isTerminal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED;
  }

  /// @throws IllegalArgumentException naming the statuses there are
  @JsonCreator
  public static JobStatus parse(String label) {
    for (var status : values()) {
      if (status.label().equals(label)) {
        return status;
      }
    }
    throw new IllegalArgumentException(
        "status \"%s\" does not exist; known: waiting, scheduled, queued, claimed, running, cancelling, succeeded, failed, cancelled"
            .formatted(Text.shown(label)));
  }
}
