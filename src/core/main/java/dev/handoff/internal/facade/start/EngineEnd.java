package dev.handoff.internal.facade.start;

import dev.handoff.internal.ask.PekkoStages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.Done;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;

/// End of an engine that cannot report it: the guardian is gone, or the actor system has begun to
/// terminate.
///
/// A system that terminates after an `Error` may never finish, because actors that take part are no
/// longer scheduled. So the beginning of the termination counts as the end.
final class EngineEnd {

  /// User-visible reason for the end of an actor system.
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

  /// End signal for an engine that is about to start.
  static EngineEnd on(ActorSystem<?> system) {
    return new EngineEnd(system);
  }

  private CompletionStage<Done> systemEnds() {
    reason.complete(SYSTEM_ENDED);
    return CompletableFuture.completedStage(Done.getInstance());
  }

  /// Reports the stop of the guardian.
  void guardianIsGone() {
    reason.complete("it has ended");
  }

  /// Completes with the reason when the end begins.
  CompletionStage<String> reason() {
    return reason.minimalCompletionStage();
  }

  /// Removes the shutdown task from the actor system after the engine was closed.
  void forget() {
    task.cancel();
    reason.complete("it is closed");
  }
}
