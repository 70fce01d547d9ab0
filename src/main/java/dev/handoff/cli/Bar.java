package dev.handoff.cli;

import dev.handoff.Durations;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Locale;

/// A bar that shows how much of something is done, as one line of text.
final class Bar {

  static final boolean UNICODE =
      Charset.forName(System.getProperty("native.encoding", "UTF-8")).newEncoder().canEncode('█');
  private static final int LONGEST = 40;
  private static final int SHORTEST = 5;

  private Bar() {}

  /// The bar, and words behind it; the words alone where there is no room for both.
  static String draw(long done, long total, int width, String words) {
    int room = Math.min(LONGEST, width - words.length() - 2);
    if (room < SHORTEST) {
      return words.strip().substring(0, Math.min(words.strip().length(), width));
    }
    return of(done, total, room) + words;
  }

  /// The bar alone.
  static String of(long done, long total, int room) {
    int full = total == 0 ? room : (int) (room * Math.min(done, total) / total);
    return "["
        + (UNICODE ? "█" : "#").repeat(full)
        + (UNICODE ? "·" : "-").repeat(room - full)
        + "]";
  }

  /// Numbers for behind the bar: how much, how fast, how long still.
  ///
  /// @param before how much of what is done was done before the clock was started
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
