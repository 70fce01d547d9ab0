package dev.handoff.cli;

import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Wait for an answer that shows its progress: in status lines on a terminal, otherwise in a line
/// from time to time. A quick answer is awaited without a word.
///
/// @param drawing status lines; they must fit the terminal
/// @param words line without a terminal
/// @param every time between two looks
record QuietWait(
    Screen screen, Supplier<List<String>> drawing, Supplier<String> words, Duration every) {

  /// Time without a word where no terminal shows the progress.
  static final Duration LONGEST_SILENCE = Duration.ofSeconds(5);

  /// Wait that says how long it takes.
  static QuietWait of(Screen screen, String words) {
    return of(screen, words, screen.isTerminal() ? Duration.ofMillis(500) : LONGEST_SILENCE);
  }

  static QuietWait of(Screen screen, String words, Duration every) {
    long begin = System.nanoTime();
    Supplier<String> line =
        () -> words + ", " + Durations.format(Duration.ofNanos(System.nanoTime() - begin));
    return new QuietWait(screen, () -> List.of(fitting(line.get(), screen)), line, every);
  }

  private static String fitting(String line, Screen screen) {
    return line.substring(0, Math.min(line.length(), screen.width()));
  }

  <T> T until(CompletableFuture<T> answer) {
    while (!isThere(answer)) {
      if (screen.isTerminal()) {
        screen.status(drawing.get());
      } else {
        screen.say(words.get());
      }
    }
    screen.clear();
    return answer.join();
  }

  private boolean isThere(CompletableFuture<?> answer) {
    try {
      answer.get(every.toMillis(), TimeUnit.MILLISECONDS);
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
