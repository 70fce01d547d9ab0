package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/// One line of a job's history.
///
/// @param what happened: `submitted`, `claimed`, `started`, `stop-requested`, `cancel-requested`,
///   `reopened`, `failed`, `cancelled`, or how an attempt ended
/// @param attempt of which attempt; empty if it is of the job
/// @param by who opened the job again; empty for all else
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record HistoryEntry(
    @JsonFormat(shape = Shape.STRING) Instant at,
    String what,
    OptionalInt attempt,
    Optional<String> by) {}
