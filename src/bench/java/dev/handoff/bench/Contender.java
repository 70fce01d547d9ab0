package dev.handoff.bench;

import java.io.IOException;
import java.time.Duration;

/// A way to run durable jobs, with everything that it needs: open, and empty.
interface Contender extends AutoCloseable {

  /// Where contenders are opened.
  interface Opener {
    Contender open() throws Exception;
  }

  /// Submits jobs from a few threads for so long, and returns when every one of them has ended,
  /// durably.
  void load(Tally tally, Duration time) throws Exception;

  /// Submits one job and waits until it runs.
  ///
  /// @return the nanoseconds from before the submission until its handler was entered
  long startOne() throws Exception;

  /// Ends it; what it has stored stays.
  void stop();

  /// How many transactions were committed, after the stop.
  ///
  /// @throws IllegalStateException if the store does not hold what it should after these jobs
  long commits(Tally tally) throws Exception;

  /// Deletes what was stored.
  @Override
  void close() throws IOException;
}
