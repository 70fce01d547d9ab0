package dev.handoff.plan.change;

import dev.handoff.job.JobId;
import org.jspecify.annotations.Nullable;

/// Who made a changeset: an attempt of a step, or a caller.
///
/// @param step the path of the step, with `/` between child plans and their steps; null for a
///   caller
/// @param caller who says that he opened it; null for an attempt
public record Maker(
    @Nullable JobId job, int attempt, @Nullable String step, @Nullable String caller) {

  public static Maker attempt(JobId job, int attempt, String step) {
    return new Maker(job, attempt, step, null);
  }

  public static Maker caller(String name) {
    return new Maker(null, 0, null, name);
  }
}
