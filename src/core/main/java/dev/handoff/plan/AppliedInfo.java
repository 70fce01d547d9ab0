package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import java.time.Instant;

/// A completed apply of a plan.
///
/// @param target real path of the directory
/// @param changesets number of changesets of the chain that the apply contains
/// @param files number of created, modified and deleted files
public record AppliedInfo(
    String target, int changesets, int files, @JsonFormat(shape = Shape.STRING) Instant at) {}
