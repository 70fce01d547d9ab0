package dev.handoff.store;

import java.time.Duration;

/// The answer to a write.
public sealed interface WriteResult {

  /// The batch is durable.
  record Written(long seq) implements WriteResult {}

  /// Another owner has raised the incarnation, or another batch has this number: nothing was
  /// written, and this owner must never write again.
  record Fenced(String by) implements WriteResult {}

  /// The database refuses the content itself, and would again: nothing was written.
  record Refused(String reason) implements WriteResult {}

  /// The store cannot be reached or is out of room. Whether the batch is durable may be unknown:
  /// hand in the very same batch again later.
  record Away(String reason, Duration retryAfter) implements WriteResult {}
}
