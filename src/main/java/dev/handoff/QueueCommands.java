package dev.handoff;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/// The queues of an engine: what they hold, and what holds for them. Where `handoff.queues.strict`
/// is on, a change of a queue that is neither known nor holds anything fails with an
/// [InvalidRequestException].
public interface QueueCommands {

  /// All queues that hold something or for which something was set, by name.
  CompletionStage<List<QueueInfo>> list();

  /// No job of the queue is claimed after this is done; running ones go on. Idempotent, durable.
  CompletionStage<Void> pause(String queue);

  /// Jobs of the queue are claimed again. Idempotent, durable.
  CompletionStage<Void> resume(String queue);

  /// At most so many jobs of the queue are running at once, over the whole engine; empty takes the
  /// limit away. An attempt counts until its job knows its end: not while it waits in `job.await`,
  /// and not after it was given up, although its code may still run. Durable.
  CompletionStage<Void> limit(String queue, OptionalInt maxRunning);
}
