package dev.handoff;

import dev.handoff.ask.PekkoStages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.Done;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;

/// The end of an engine that cannot say so itself: its guardian is gone, or its actor system has
/// begun to end.
///
/// A system that an `Error` ends may never get to its end, because actors that have to take part
/// are not run any more. So its beginning is what counts.
final class EngineEnd {

  /// How the end of an actor system is told to users.
  static final String SYSTEM_ENDED = "its actor system has ended";

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final CompletableFuture<String> reason = new CompletableFuture<>();
  private final Cancellable task;

  private EngineEnd(ActorSystem<?> system) {
    task =
        CoordinatedShutdown.get(system)
            .addCancellableTask(
                CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
                "handoff-" + NUMBERS.incrementAndGet(),
                this::systemEnds);
    PekkoStages.endOf(system).thenRun(this::systemEnds);
  }

  /// Of an engine that is about to be started.
  static EngineEnd on(ActorSystem<?> system) {
    return new EngineEnd(system);
  }

  private CompletionStage<Done> systemEnds() {
    reason.complete(SYSTEM_ENDED);
    return CompletableFuture.completedStage(Done.getInstance());
  }

  /// The guardian has stopped.
  void guardianIsGone() {
    reason.complete("it has ended");
  }

  /// Completes when the end begins, with the reason.
  CompletionStage<String> reason() {
    return reason.minimalCompletionStage();
  }

  /// The engine was closed: nothing of it is kept at its actor system.
  void forget() {
    task.cancel();
    reason.complete("it is closed");
  }
}
