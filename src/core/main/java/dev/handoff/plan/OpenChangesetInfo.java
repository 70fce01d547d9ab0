package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import java.time.Instant;

/// A changeset that a caller has opened; its changes count once it is closed.
///
/// @param by caller
/// @param changes number of changes so far
public record OpenChangesetInfo(
    String id,
    String label,
    String by,
    @JsonFormat(shape = Shape.STRING) Instant at,
    int changes) {}
