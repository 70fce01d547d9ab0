package dev.handoff;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/// Queues of an engine: load and settings. With `handoff.queues.strict`, a change of a queue that
/// is neither configured nor in use fails with an [InvalidRequestException].
public interface QueueCommands {

  /// All queues with jobs or settings, by name.
  CompletionStage<List<QueueInfo>> list();

  /// Pauses a queue: once the stage completes, none of its jobs is claimed. Running jobs continue.
  /// Idempotent, durable.
  CompletionStage<Void> pause(String queue);

  /// Resumes a paused queue. Idempotent, durable.
  CompletionStage<Void> resume(String queue);

  /// Limits the running jobs of a queue, over the whole engine; empty removes the limit. An attempt
  /// counts until its job knows the attempt's end. An attempt does not count while it waits in
  /// `job.await`, nor after it was abandoned, although its code may still run. Durable.
  CompletionStage<Void> limit(String queue, OptionalInt maxRunning);
}
