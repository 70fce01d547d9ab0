package dev.handoff.actor;

import java.math.BigDecimal;
import java.time.Duration;

/// Durations as everything that a user reads shows them: `10s`, `1m30s`, `36h`, `30d`. What is
/// shown can be written in files of jobs and plans.
public final class DurationWords {

  private static final Duration MOST = Duration.ofSeconds(Long.MAX_VALUE);

  private DurationWords() {}

  /// Every digit of a duration, without units that it has none of; in days only if it is some days
  /// exactly.
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

  /// The range that a duration has to be in.
  public static String range(Duration least, Duration most) {
    return exact(least) + " to " + exact(most);
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count != 0) {
      text.append(count).append(unit);
    }
  }
}
