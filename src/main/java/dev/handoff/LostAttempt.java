package dev.handoff;

import dev.handoff.job.JobId;
import java.util.Optional;

/// An attempt that was running when an earlier process of the engine was killed.
public interface LostAttempt {

  JobId job();

  int attempt();

  /// What the job's attempts have kept last.
  <T> Optional<T> checkpoint(Class<T> type);
}
