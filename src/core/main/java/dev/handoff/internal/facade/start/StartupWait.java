package dev.handoff.internal.facade.start;

import dev.handoff.internal.actor.MemoryReserve;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.facade.BoundedWait;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;

/// Wait for the start of an engine: unlimited while the engine shows signs of life. If the heap is
/// too small for the recovered state, the actors that would report the failure may no longer run.
final class StartupWait {

  private static final Duration LOOK = Duration.ofSeconds(1);
  static final int SILENT_LOOKS = 30;

  private static final Engine.NotStarted NO_MEMORY =
      new Engine.NotStarted("the heap is full: give the JVM more memory (-Xmx)");
  private static final Engine.NotStarted SILENT =
      new Engine.NotStarted(
          "its actors do not answer: the heap is full (-Xmx), or the threads of its actor system"
              + " are blocked");

  private final ActorRef<Engine.Command> engine;
  private final CompletableFuture<Engine.Startup> answer;
  private final Duration look;
  private CompletableFuture<Void> sign = new CompletableFuture<>();
  private int silent;

  StartupWait(ActorRef<Engine.Command> engine, CompletableFuture<Engine.Startup> answer) {
    this(engine, answer, LOOK);
  }

  /// @param look interval between two checks
  StartupWait(
      ActorRef<Engine.Command> engine, CompletableFuture<Engine.Startup> answer, Duration look) {
    this.engine = engine;
    this.answer = answer;
    this.look = look;
  }

  Engine.Startup run() {
    try {
      askForSign();
      while (!BoundedWait.forEnd(answer, look)) {
        if (isSilent()) {
          return SILENT;
        }
      }
      return answer.join();
    } catch (OutOfMemoryError full) {
      MemoryReserve.giveBack();
      return NO_MEMORY;
    }
  }

  /// Whether the engine has been silent for too many checks. Checks are counted instead of time,
  /// because the process may be suspended for long.
  private boolean isSilent() {
    if (sign.isDone()) {
      silent = 0;
      askForSign();
    } else {
      silent++;
    }
    return silent >= SILENT_LOOKS;
  }

  private void askForSign() {
    var next = new CompletableFuture<Void>();
    sign = next;
    engine.tell(new Engine.GiveSign(() -> next.complete(null)));
  }
}
