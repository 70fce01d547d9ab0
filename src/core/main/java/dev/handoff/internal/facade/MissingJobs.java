package dev.handoff.internal.facade;

import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobNotFoundException;
import dev.handoff.JobNotKeptException;
import dev.handoff.StoreInfo;
import java.util.Optional;

/// Answers for jobs that are neither live nor in history.
public final class MissingJobs {

  private MissingJobs() {}

  /// Result of a look-up.
  ///
  /// @param mayBe whether a missing job may have been dropped
  /// @throws JobNotKeptException for a missing job that may have been dropped
  static Optional<JobInfo> unless(Optional<JobInfo> found, JobId id, boolean mayBe) {
    if (found.isEmpty() && mayBe) {
      throw new JobNotKeptException(id);
    }
    return found;
  }

  /// Exception for a job that is neither live nor in history.
  static RuntimeException absent(JobId id, StoreInfo store) {
    return store.mayHaveDropped() ? new JobNotKeptException(id) : new JobNotFoundException(id);
  }
}
