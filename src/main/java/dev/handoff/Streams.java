package dev.handoff;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.javadsl.Source;

/// The streams of events that are being read. They complete when the engine ends.
final class Streams {

  private static final int PATIENCE_SECONDS = 2;

  private final SharedKillSwitch ends = KillSwitches.shared("handoff-events");
  private final Set<CompletableFuture<?>> running = ConcurrentHashMap.newKeySet();

  <T> Source<T, NotUsed> whileRunning(Source<T, NotUsed> source) {
    return source
        .via(ends.flow())
        .watchTermination(
            (same, ended) -> {
              var stream = ended.toCompletableFuture();
              running.add(stream);
              stream.whenComplete((done, failure) -> running.remove(stream));
              return same;
            });
  }

  /// Completes every stream, now and later.
  void end() {
    ends.shutdown();
  }

  /// Waits a moment for those that were running: what they run on may be about to end.
  void awaitEnd() {
    CompletableFuture.allOf(running.toArray(CompletableFuture[]::new))
        .completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS)
        .exceptionally(failure -> null)
        .join();
  }
}
