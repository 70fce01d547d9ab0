package dev.handoff;

import dev.handoff.engine.JobQuery;
import dev.handoff.job.JobStatus;
import org.jspecify.annotations.Nullable;

/// Which jobs to list. What is null does not restrict.
///
/// @param label `name=value`
public record JobFilter(
    @Nullable JobStatus status,
    @Nullable String queue,
    @Nullable String type,
    @Nullable String plan,
    @Nullable String label) {

  public static final JobFilter ALL = new JobFilter(null, null, null, null, null);

  public JobFilter status(JobStatus only) {
    return new JobFilter(only, queue, type, plan, label);
  }

  public JobFilter queue(String only) {
    return new JobFilter(status, only, type, plan, label);
  }

  public JobFilter type(String only) {
    return new JobFilter(status, queue, only, plan, label);
  }

  public JobFilter label(String name, String value) {
    return new JobFilter(status, queue, type, plan, name + "=" + value);
  }

  /// @param before only ids lower than this one; null = all
  JobQuery query(@Nullable String before, int limit) {
    return new JobQuery(status, queue, type, plan, label, before, limit);
  }
}
