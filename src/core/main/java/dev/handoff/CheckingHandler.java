package dev.handoff;

/// Handler that validates payloads before their jobs are accepted. An unusable payload is refused
/// with [Submission.Invalid].
///
/// Jobs accepted earlier or elsewhere still reach the handler with any payload.
///
/// @param <T> class of the payload; a payload that cannot be read as this class is also refused
public interface CheckingHandler<T> extends JobHandler<T> {

  /// Validates the payload of a submission. The call runs on the submitting thread (with
  /// [Handoff#submitAll] the stream's thread), so it must be quick and free of side effects.
  ///
  /// @throws Exception with a message that names the problem and an acceptable payload
  void check(T payload) throws Exception;
}
