package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import java.time.Instant;

/// A changeset that a caller has opened: what is in it counts when it is closed.
///
/// @param by the caller
/// @param changes how many there are in it so far
public record OpenChangesetInfo(
    String id,
    String label,
    String by,
    @JsonFormat(shape = Shape.STRING) Instant at,
    int changes) {}
