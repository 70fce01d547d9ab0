package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import dev.handoff.plan.Applied;
import java.time.Instant;

/// An apply of a plan that was written.
///
/// @param target the real path of the directory
/// @param changesets how many changesets of the chain it holds
/// @param files how many files were created, changed or deleted
public record AppliedInfo(
    String target, int changesets, int files, @JsonFormat(shape = Shape.STRING) Instant at) {

  static AppliedInfo of(Applied apply) {
    return new AppliedInfo(apply.target(), apply.sets(), apply.files(), apply.at());
  }
}
