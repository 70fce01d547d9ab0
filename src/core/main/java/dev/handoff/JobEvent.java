package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A durable event of a job. Progress events are the exception: they may be lost.
///
/// @param number sequence number, rising by one per event; a stream has no gaps, see
///   [EventGapException]
/// @param name logical name of the fact, such as `claimed` or `retry-scheduled`, or `progress`
/// @param status status of the job after the event
/// @param detail explanation in words, if any
public record JobEvent(
    long number,
    String name,
    JobId job,
    String type,
    String queue,
    JobStatus status,
    int attempt,
    @JsonFormat(shape = JsonFormat.Shape.STRING) Instant at,
    @Nullable String detail) {

  /// Whether the event ended the job.
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean isLast() {
    return status.isTerminal();
  }
}
