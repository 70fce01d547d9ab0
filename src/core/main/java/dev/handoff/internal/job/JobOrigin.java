package dev.handoff.internal.job;

import dev.handoff.JobId;
import org.jspecify.annotations.Nullable;

/// Owner of a job: a parent job, or a plan's step. The job lives in its owner's partition, and its
/// key is unique only within that owner.
public record JobOrigin(@Nullable JobId parent, @Nullable String plan, @Nullable String step) {

  /// Origin of a plan's step.
  public static JobOrigin step(String plan, String step) {
    return new JobOrigin(null, plan, step);
  }

  static JobOrigin child(JobId parent) {
    return new JobOrigin(parent, null, null);
  }
}
