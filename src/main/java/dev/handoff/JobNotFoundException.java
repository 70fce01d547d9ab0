package dev.handoff;

import dev.handoff.job.JobId;

/// There is no job with this id: it never was, or history has forgotten it.
public final class JobNotFoundException extends RuntimeException {

  JobNotFoundException(JobId id) {
    super(
        "job %s does not exist: it was never accepted here, or is older than the retention of history"
            .formatted(id));
  }
}
