package dev.handoff.job;

import org.jspecify.annotations.Nullable;

/// What a job belongs to: the job that submitted it, or a step of a plan. Such a job lives in the
/// partition of what it belongs to, and its key is unique only within that.
public record Origin(@Nullable JobId parent, @Nullable String plan, @Nullable String step) {

  /// A step of a plan.
  public static Origin step(String plan, String step) {
    return new Origin(null, plan, step);
  }

  static Origin child(JobId parent) {
    return new Origin(parent, null, null);
  }
}
