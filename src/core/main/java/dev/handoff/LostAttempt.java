package dev.handoff;

import java.util.Optional;

/// An attempt that was running when an earlier process of the engine was killed.
public interface LostAttempt {

  JobId job();

  int attempt();

  /// Last checkpoint of the job's attempts.
  <T> Optional<T> checkpoint(Class<T> type);
}
