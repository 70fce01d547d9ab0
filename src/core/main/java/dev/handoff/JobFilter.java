package dev.handoff;

import org.jspecify.annotations.Nullable;

/// Filter for lists of jobs. A null component does not restrict.
///
/// @param label label as `name=value`
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
}
