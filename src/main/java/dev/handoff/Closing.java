package dev.handoff;

import dev.handoff.engine.Engine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The end of an engine, step by step: its attempts, its parts, whoever still waits for it, its
/// actor system if that is its own, its store. Each step is taken whatever became of those before
/// it, and none is waited for without end: a store that is not closed can be opened by nobody.
record Closing(Handoff.Inside inside, EngineEnd end) {

  private static final Logger log = LoggerFactory.getLogger(Handoff.class);

  /// How much longer than the engine itself may take is waited for its end.
  private static final Duration MARGIN = Duration.ofSeconds(30);

  /// How long the actors of a system that is ending are waited for: some may never run again.
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private static final Duration TERMINATION = Duration.ofSeconds(10);

  void run() {
    try {
      stopEngine();
      inside.calls().end("the engine is closed");
      inside.streams().awaitEnd();
      stopSystem();
    } finally {
      end.forget();
      inside.store().close();
    }
  }

  private void stopEngine() {
    var longest = inside.settings().longestShutdown().plus(MARGIN);
    try {
      var stopped =
          AskPattern.<Engine.Command, Engine.Stopped>ask(
                  inside.engine(), Engine.Shutdown::new, longest, inside.system().scheduler())
              .toCompletableFuture();
      var either = CompletableFuture.anyOf(stopped, end.reason().toCompletableFuture());
      BoundedWait.forEnd(either, longest);
      if (!BoundedWait.forEnd(stopped, LAST_WORDS)) {
        log.warn("the engine has not said that it has stopped: what runs is found lost");
      }
    } catch (IllegalStateException gone) {
      // Its actor system has ended before: there is nothing left to be stopped in order.
    }
  }

  private void stopSystem() {
    if (!inside.own()) {
      inside.engine().tell(Engine.Leave.INSTANCE);
    } else {
      inside.system().terminate();
      if (!BoundedWait.forEnd(inside.system().getWhenTerminated(), TERMINATION)) {
        log.warn("the engine's actor system has not ended within {}", Durations.exact(TERMINATION));
      }
    }
  }
}
