package dev.handoff.internal.text;

import java.math.BigDecimal;
import java.time.Duration;

/// Durations in the form that users read: `10s`, `1m30s`, `36h`, `30d`. Job and plan files accept
/// this form.
public final class DurationWords {

  private static final Duration MOST = Duration.ofSeconds(Long.MAX_VALUE);

  private DurationWords() {}

  /// Exact duration without zero units; in days only for a whole number of days.
  public static String exact(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    if (duration.isNegative()) {
      return "-" + exact(duration.getSeconds() == Long.MIN_VALUE ? MOST : duration.negated());
    }
    return duration.equals(Duration.ofDays(duration.toDays()))
        ? duration.toDays() + "d"
        : parts(duration);
  }

  private static String parts(Duration duration) {
    var text = new StringBuilder();
    append(text, duration.toHours(), "h");
    append(text, duration.toMinutesPart(), "m");
    var seconds = BigDecimal.valueOf(duration.toSecondsPart());
    var rest = seconds.add(BigDecimal.valueOf(duration.toNanosPart(), 9)).stripTrailingZeros();
    if (rest.compareTo(BigDecimal.ONE) < 0 && text.isEmpty()) {
      return rest.movePointRight(3).stripTrailingZeros().toPlainString() + "ms";
    }
    return rest.signum() == 0 ? text.toString() : text + rest.toPlainString() + "s";
  }

  /// Permitted range of a duration, in words.
  public static String range(Duration least, Duration most) {
    return exact(least) + " to " + exact(most);
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count != 0) {
      text.append(count).append(unit);
    }
  }
}
