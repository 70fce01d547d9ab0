package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import java.time.Instant;

/// A decision about a conflict.
///
/// @param path path of the file
/// @param choice `ours`, `theirs`, or `content` for a content passed by the caller
public record DecisionInfo(
    String path, String choice, String by, @JsonFormat(shape = Shape.STRING) Instant at) {}
