package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.handoff.job.JobId;
import dev.handoff.job.JobStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Something that happened to a job, after it was durable. Progress is the exception: it may be
/// lost.
///
/// @param number rises by one from event to event; a gap cannot happen within a stream, see
///   [EventGapException]
/// @param name what happened, such as `claimed` or `retry-scheduled`: the logical name of the fact,
///   or `progress`
/// @param status the job's status since then
/// @param detail what there is to say in words
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

  /// Whether the job ended with it.
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean isLast() {
    return status.isTerminal();
  }
}
