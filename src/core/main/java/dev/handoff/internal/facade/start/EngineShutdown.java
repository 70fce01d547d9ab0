package dev.handoff.internal.facade.start;

import dev.handoff.Handoff;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.facade.BoundedWait;
import dev.handoff.internal.facade.RunningEngine;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shutdown of an engine, step by step: attempts, actors, waiting callers, own actor system, store.
/// Each step runs whatever happened in earlier steps, and each wait has a limit, because an
/// unclosed store cannot be opened again.
record EngineShutdown(RunningEngine engine, EngineEnd end) {

  private static final Logger log = LoggerFactory.getLogger(Handoff.class);

  /// Extra time beyond the engine's own longest shutdown.
  private static final Duration MARGIN = Duration.ofSeconds(30);

  /// Time for actors of an ending system: some may never run again.
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private static final Duration TERMINATION = Duration.ofSeconds(10);

  void run() {
    try {
      stopEngine();
      engine.calls().end("the engine is closed");
      engine.streams().awaitEnd();
      stopSystem();
    } finally {
      end.forget();
      engine.store().close();
    }
  }

  private void stopEngine() {
    var longest = engine.settings().longestShutdown().plus(MARGIN);
    try {
      var stopped =
          AskPattern.<Engine.Command, Engine.Stopped>ask(
                  engine.guardian(), Engine.Shutdown::new, longest, engine.system().scheduler())
              .toCompletableFuture();
      var either = CompletableFuture.anyOf(stopped, end.reason().toCompletableFuture());
      BoundedWait.forEnd(either, longest);
      if (!BoundedWait.forEnd(stopped, LAST_WORDS)) {
        log.warn("the engine has not said that it has stopped: what runs is found lost");
      }
    } catch (IllegalStateException gone) {
      // The actor system ended before: no actor is left to stop in order.
    }
  }

  private void stopSystem() {
    if (!engine.own()) {
      engine.guardian().tell(Engine.Leave.INSTANCE);
    } else {
      engine.system().terminate();
      if (!BoundedWait.forEnd(engine.system().getWhenTerminated(), TERMINATION)) {
        log.warn("the engine's actor system has not ended within {}", Durations.exact(TERMINATION));
      }
    }
  }
}
