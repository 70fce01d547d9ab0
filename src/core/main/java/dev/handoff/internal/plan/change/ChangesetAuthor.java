package dev.handoff.internal.plan.change;

import dev.handoff.JobId;
import org.jspecify.annotations.Nullable;

/// Author of a changeset: an attempt of a step, or a caller.
///
/// @param step path of the step, with `/` between child plans and steps; null for a caller
/// @param caller name as given by the caller; null for an attempt
public record ChangesetAuthor(
    @Nullable JobId job, int attempt, @Nullable String step, @Nullable String caller) {

  public static ChangesetAuthor attempt(JobId job, int attempt, String step) {
    return new ChangesetAuthor(job, attempt, step, null);
  }

  public static ChangesetAuthor caller(String name) {
    return new ChangesetAuthor(null, 0, null, name);
  }
}
