package dev.handoff;

import java.util.Optional;
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

  /// Handler that validates payloads before their jobs are accepted. An unusable payload is refused
  /// with [Submission.Invalid].
  ///
  /// Jobs accepted earlier or elsewhere still reach the handler with any payload.
  ///
  /// @param <T> class of the payload; a payload that cannot be read as this class is also refused
  public interface Checking<T> extends JobHandler<T> {

    /// Validates the payload of a submission. The call runs on the submitting thread (with
    /// [Handoff#submitAll] the stream's thread), so it must be quick and free of side effects.
    ///
    /// @throws Exception with a message that names the problem and an acceptable payload
    void check(T payload) throws Exception;
  }

  /// An attempt that was running when an earlier process of the engine was killed.
  public interface LostAttempt {

    JobId job();

    int attempt();

    /// Last checkpoint of the job's attempts.
    <T> Optional<T> checkpoint(Class<T> type);
  }
}
