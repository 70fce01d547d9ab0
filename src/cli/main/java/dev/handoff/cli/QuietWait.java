package dev.handoff.cli;

import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Wait for an answer that says how long it takes: in a status line on a terminal, otherwise in a
/// line from time to time. A quick answer is awaited without a word.
///
/// @param silence time without a word
record QuietWait(Screen screen, String words, Duration silence) {

  /// Wait with a line every five seconds.
  static QuietWait of(Screen screen, String words) {
    return new QuietWait(screen, words, Duration.ofSeconds(5));
  }

  <T> T until(CompletableFuture<T> answer) {
    long begin = System.nanoTime();
    var every = screen.isTerminal() ? Duration.ofMillis(500) : silence;
    while (!isThere(answer, every)) {
      var line = words + ", " + Durations.format(Duration.ofNanos(System.nanoTime() - begin));
      if (screen.isTerminal()) {
        screen.status(line.substring(0, Math.min(line.length(), screen.width())));
      } else {
        screen.say(line);
      }
    }
    screen.clear();
    return answer.join();
  }

  private static boolean isThere(CompletableFuture<?> answer, Duration most) {
    try {
      answer.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException later) {
      return false;
    } catch (ExecutionException failed) {
      return true;
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return true;
    }
    return true;
  }
}
