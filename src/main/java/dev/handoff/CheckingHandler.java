package dev.handoff;

/// A handler that looks at payloads before their jobs are accepted: what it could never do anything
/// with is refused to whoever submits it, with [Submission.Invalid].
///
/// A job that was accepted earlier, or elsewhere, still reaches the handler with any payload.
///
/// @param <T> what the payload is read as; one that cannot be read so is refused, too
public interface CheckingHandler<T> extends JobHandler<T> {

  /// Called with each submission, on the thread of whoever submits, which is the stream's with
  /// [Handoff#submitAll]: quick, and without effects.
  ///
  /// @throws Exception whose message says what is wrong with the payload, and what would do
  void check(T payload) throws Exception;
}
