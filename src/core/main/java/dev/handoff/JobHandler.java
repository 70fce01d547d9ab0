package dev.handoff;

import org.jspecify.annotations.Nullable;

/// User code for one job type. The engine calls the handler on a separate thread for each attempt,
/// several at a time; a handler may block.
///
/// The return value is written as JSON and stored with the job. An exception fails the attempt. A
/// cancelled handler should stop soon: check `job.cancellation()`, or use interruptible calls.
///
/// @param <T> class of the payload
@FunctionalInterface
public interface JobHandler<T> {

  @Nullable Object handle(T payload, JobContext job) throws Exception;

  /// Cleans up after an attempt whose process was killed: for example, kills a program that the
  /// attempt had started. The engine calls this method at its start, independently of the job's
  /// fate: the job may run again or have ended. The engine's start waits a few seconds for the
  /// clean-up.
  default void clearUp(LostAttempt attempt) throws Exception {}

  /// Whether attempts run on platform threads, for long computations and native code. All other
  /// attempts run on virtual threads. The number of platform threads is `handoff.blocking-threads`;
  /// jobs without a free thread stay queued.
  default boolean isBlocking() {
    return false;
  }

  /// Variant of a handler that runs on platform threads.
  static <T> JobHandler<T> blocking(JobHandler<T> handler) {
    return BlockingHandler.of(handler);
  }
}
