package dev.handoff;

import java.util.Optional;

/// Thrown for a missing job in a store whose engine drops, or once dropped, jobs by
/// `handoff.history`. Either the job has ended and was not kept, or it never existed; the two cases
/// cannot be told apart.
public final class JobNotKeptException extends RuntimeException {

  JobNotKeptException(JobId id) {
    super(
        "job %s has ended and was not kept (handoff.history), or was never accepted here"
            .formatted(id));
  }

  /// Result of a look-up, or this exception for a missing job that may have been dropped.
  ///
  /// @param mayBe whether a missing job may have been dropped
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
