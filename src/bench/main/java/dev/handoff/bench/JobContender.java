package dev.handoff.bench;

import java.io.IOException;
import java.time.Duration;

/// A durable job library under test, with its empty store.
interface JobContender extends AutoCloseable {

  /// Factory of contenders.
  interface Opener {
    JobContender open() throws Exception;
  }

  /// Submits jobs from a few threads for a given time and returns when the end of every job is
  /// durable.
  void load(RunCounter tally, Duration time) throws Exception;

  /// Submits one job and waits for its start.
  ///
  /// @return nanoseconds from before the submission to the handler's entry
  long startOne() throws Exception;

  /// Stops the engine and keeps its data.
  void stop();

  /// Number of committed transactions; call after the stop.
  ///
  /// @throws IllegalStateException if the store's content does not match the submitted jobs
  long commits(RunCounter tally) throws Exception;

  /// Deletes the stored data.
  @Override
  void close() throws IOException;
}
