package dev.handoff;

import org.jspecify.annotations.Nullable;

/// The user's code for one job type. Called on a thread of its own for each attempt, several at a
/// time; may block.
///
/// What it returns is written as JSON and kept with the job. What it throws fails the attempt. A
/// handler that is cancelled should stop soon: look at `job.cancellation()`, or do what can be
/// interrupted.
///
/// @param <T> what the payload is read as
@FunctionalInterface
public interface JobHandler<T> {

  @Nullable Object handle(T payload, JobContext job) throws Exception;

  /// Ends what an attempt may have left behind whose process was killed, such as a program that it
  /// had started. Called when the engine starts, beside whatever becomes of the job: it may be
  /// started again, or have ended. The start waits a few seconds for it.
  default void clearUp(LostAttempt attempt) throws Exception {}

  /// Whether attempts run on platform threads: for code that computes for long or calls native
  /// code. Others run on virtual threads. There are `handoff.blocking-threads` of them: what does
  /// not fit stays queued.
  default boolean isBlocking() {
    return false;
  }

  /// The same handler, run on platform threads.
  static <T> JobHandler<T> blocking(JobHandler<T> handler) {
    return BlockingHandler.of(handler);
  }
}
