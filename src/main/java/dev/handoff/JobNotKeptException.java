package dev.handoff;

import dev.handoff.job.JobId;
import dev.handoff.store.StoreInfo;
import java.util.Optional;

/// There is no job with this id, and `handoff.history` of an engine that has or had this store
/// drops jobs: it has ended and was not kept, or was never here. Nobody can tell which.
public final class JobNotKeptException extends RuntimeException {

  JobNotKeptException(JobId id) {
    super(
        "job %s has ended and was not kept (handoff.history), or was never accepted here"
            .formatted(id));
  }

  /// What was found of a job.
  ///
  /// @param mayBe whether a job that is not there may have been dropped
  static Optional<JobInfo> unless(Optional<JobInfo> found, JobId id, boolean mayBe) {
    if (found.isEmpty() && mayBe) {
      throw new JobNotKeptException(id);
    }
    return found;
  }

  /// What to say of a job that is neither live nor in history.
  static RuntimeException absent(JobId id, StoreInfo store) {
    return store.mayHaveDropped() ? new JobNotKeptException(id) : new JobNotFoundException(id);
  }
}
