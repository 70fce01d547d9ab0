package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/// One entry of a job's history.
///
/// @param what name of the event: `submitted`, `claimed`, `started`, `stop-requested`,
///   `cancel-requested`, `reopened`, `failed`, `cancelled`, or the outcome of an attempt
/// @param attempt number of the attempt; empty for an event of the whole job
/// @param by caller who reopened the job; empty for other events
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record HistoryEntry(
    @JsonFormat(shape = Shape.STRING) Instant at,
    String what,
    OptionalInt attempt,
    Optional<String> by) {}
