package dev.handoff;

import dev.handoff.actor.MemoryReserve;
import dev.handoff.engine.Engine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;

/// The wait of whoever starts an engine: for as long as the start takes, and as the engine is
/// there. In a heap that is too small for what it reads back, the actors that would say so may not
/// run any more.
final class StartWait {

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

  StartWait(ActorRef<Engine.Command> engine, CompletableFuture<Engine.Startup> answer) {
    this(engine, answer, LOOK);
  }

  /// @param look how long a look takes
  StartWait(
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

  /// Looks are counted, not time: a process may be stopped for long.
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
