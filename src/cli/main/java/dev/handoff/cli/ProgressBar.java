package dev.handoff.cli;

import dev.handoff.internal.text.Durations;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Locale;

/// Progress bar as one line of text.
final class ProgressBar {

  static final boolean UNICODE =
      Charset.forName(System.getProperty("native.encoding", "UTF-8")).newEncoder().canEncode('█');
  private static final int LONGEST = 40;
  private static final int SHORTEST = 5;

  private ProgressBar() {}

  /// Bar followed by text; only the text if the line is too short.
  static String draw(long done, long total, int width, String words) {
    int room = Math.min(LONGEST, width - words.length() - 2);
    if (room < SHORTEST) {
      return words.strip().substring(0, Math.min(words.strip().length(), width));
    }
    return of(done, total, room) + words;
  }

  /// Bar without text.
  static String of(long done, long total, int room) {
    int full = total == 0 ? room : (int) (room * Math.min(done, total) / total);
    return "["
        + (UNICODE ? "█" : "#").repeat(full)
        + (UNICODE ? "·" : "-").repeat(room - full)
        + "]";
  }

  /// Percentage, rate and remaining time.
  ///
  /// @param before part of `done` that was complete before the clock started
  static String pace(long done, long before, long total, Duration since, String note) {
    var words =
        String.format(
            Locale.ROOT, " %3d %%  %,d/%,d", total == 0 ? 100 : 100 * done / total, done, total);
    double seconds = since.toMillis() / 1000.0;
    if (seconds >= 1 && done > before) {
      double pace = (done - before) / seconds;
      var left = Duration.ofMillis((long) (1000 * (total - done) / pace));
      words += String.format(Locale.ROOT, pace < 10 ? "  %.1f/s" : "  %,.0f/s", pace);
      words += done == total ? "" : "  " + Durations.format(left) + " left";
    }
    return note.isEmpty() ? words : words + "  " + note;
  }
}
