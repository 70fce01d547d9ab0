package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.Health;
import dev.handoff.internal.ask.ThreadPause;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Polls the health of an engine and reports when its store goes away or returns.
final class StoreWatch {

  private static final String AWAY = "the store is away: ";

  /// Prefix with batch and partition numbers, which are useless for a user.
  private static final Pattern PLACE = Pattern.compile("^.*?, batch \\d+ of partition \\d+: ");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());
  private static final int MOST_WORDS = 200;
  private static final Duration AGAIN = Duration.ofMillis(500);
  private static final String THREAD = "handoff-store-watch";

  private final Handoff handoff;
  private final Consumer<String> words;
  private @Nullable Instant since;
  private volatile boolean stopped;

  private StoreWatch(Handoff handoff, Consumer<String> words) {
    this.handoff = handoff;
    this.words = words;
  }

  /// @param words receives a line per change
  static StoreWatch start(Handoff handoff, Consumer<String> words) {
    var watch = new StoreWatch(handoff, words);
    Thread.ofVirtual().name(THREAD).start(watch::look);
    return watch;
  }

  void stop() {
    stopped = true;
  }

  private void look() {
    var health = handoff.health().toCompletableFuture().join();
    if (stopped) {
      return;
    }
    seen(health, Instant.now()).ifPresent(words);
    ThreadPause.beforeTask(AGAIN, THREAD, this::look);
  }

  /// Line to print; empty without a change.
  private Optional<String> seen(Health health, Instant now) {
    var reason = health.problems().stream().filter(problem -> problem.startsWith(AWAY)).findFirst();
    if (reason.isPresent() && since == null) {
      since = now;
      return Optional.of(
          "the store is away since %s: %s"
              .formatted(TIME.format(now), TerminalText.brief(plain(reason.get()), MOST_WORDS)));
    }
    if (reason.isEmpty() && since != null && health.ready()) {
      var away = Duration.between(since, now);
      since = null;
      return Optional.of("the store is back, after " + Durations.format(away));
    }
    return Optional.empty();
  }

  private static String plain(String problem) {
    return PLACE.matcher(problem.substring(AWAY.length())).replaceFirst("");
  }
}
