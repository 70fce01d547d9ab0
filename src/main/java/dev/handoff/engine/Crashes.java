package dev.handoff.engine;

import dev.handoff.job.JobError;
import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How often the actor of a job has failed without getting anywhere, and with what.
final class Crashes {

  static final int MOST = 3;

  private final Map<JobId, Row> rows = new HashMap<>();

  /// @param version of the job after the last failure
  private record Row(String cause, long version, int count) {}

  /// What to do about a job whose actor has failed.
  enum Verdict {
    /// Make it anew.
    AGAIN,
    /// Too often: the job has to end.
    GIVE_UP,
    /// Not even that went well: leave it as it is.
    LEAVE
  }

  void failed(JobId job, String cause) {
    rows.merge(
        job, new Row(cause, -1, 0), (old, ignored) -> new Row(cause, old.version(), old.count()));
  }

  /// Counts the failure, now that it is known how far the job had come.
  Verdict judge(JobState job) {
    var row = rows.get(job.id());
    int count = row.version() == job.version() ? row.count() + 1 : 1;
    rows.put(job.id(), new Row(row.cause(), job.version(), count));
    return count < MOST ? Verdict.AGAIN : count == MOST ? Verdict.GIVE_UP : Verdict.LEAVE;
  }

  /// What the job ends with.
  JobError error(JobId job) {
    return JobError.of(
        "actor-failed",
        "the actor of this job failed %d times in a row: %s"
            .formatted(MOST, rows.get(job).cause()));
  }

  /// Why a job is left without an actor; null if it is not.
  @Nullable String leftBecause(JobId job) {
    var row = rows.get(job);
    return row == null || row.count() <= MOST
        ? null
        : "job %s cannot be worked on until the engine is started again: %s"
            .formatted(job, row.cause());
  }

  void forget(JobId job) {
    rows.remove(job);
  }
}
