package dev.handoff;

import dev.handoff.engine.Engine;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/// The end of an engine, step by step: its attempts, its parts, whoever still waits for it, its
/// actor system if that is its own, its store.
record Closing(Handoff.Inside inside) {

  /// How much longer than the engine itself may take is waited for its end.
  private static final Duration MARGIN = Duration.ofSeconds(30);

  void run() {
    stopEngine();
    inside.calls().end("the engine is closed");
    inside.streams().end();
    inside.streams().awaitEnd();
    if (inside.own()) {
      inside.system().terminate();
      inside.system().getWhenTerminated().toCompletableFuture().join();
    } else {
      inside.engine().tell(Engine.Leave.INSTANCE);
    }
    inside.store().close();
  }

  private void stopEngine() {
    var longest = inside.settings().longestShutdown().plus(MARGIN);
    try {
      AskPattern.<Engine.Command, Engine.Stopped>ask(
              inside.engine(), Engine.Shutdown::new, longest, inside.system().scheduler())
          .toCompletableFuture()
          .join();
    } catch (CompletionException | IllegalStateException gone) {
      // Its actor system has ended before: there is nothing left to be stopped in order.
    }
  }
}
