package dev.handoff.internal.store;

import java.time.Duration;

/// Result of a write.
public sealed interface WriteResult {

  /// Batch is durable.
  record Written(long seq) implements WriteResult {}

  /// Fenced: another owner has raised the incarnation, or a different batch has this number.
  /// Nothing was written, and this owner must never write again.
  record Fenced(String by) implements WriteResult {}

  /// Refusal of the data itself; a retry would fail too. Nothing was written.
  record Refused(String reason) implements WriteResult {}

  /// Store unreachable or out of space. The outcome may be unknown: send exactly the same batch
  /// again later.
  record Away(String reason, Duration retryAfter) implements WriteResult {}
}
