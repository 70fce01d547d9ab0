package dev.handoff;

import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import dev.handoff.job.JobStatus;
import java.time.Instant;

/// A job as it was at one moment: an immutable snapshot that nobody can change the job through.
///
/// @param state all there is to know
/// @param seen when it was looked at
public record JobInfo(JobState state, Instant seen) {

  public JobId id() {
    return state.id();
  }

  public String type() {
    return state.spec().type();
  }

  public String queue() {
    return state.spec().queue();
  }

  public JobStatus status() {
    return state.status(seen);
  }

  public int attempt() {
    return state.attempt();
  }

  /// The job as JSON text, as `handoff show --json` prints it.
  public String toJson() {
    return JobJson.write(this).toString();
  }
}
