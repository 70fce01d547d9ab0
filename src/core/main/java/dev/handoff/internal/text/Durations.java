package dev.handoff.internal.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/// Durations in readable form: `500ms`, `2s`, `1.5m`, `1h30m`, `2d`, or ISO 8601 such as `PT30S`.
/// Formatted durations can be parsed again.
public final class Durations {

  private static final Pattern PART = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(ms|s|m|h|d)");

  /// At most one part per unit. Without a limit, a matcher recurses once per part.
  private static final Pattern SHORT = Pattern.compile("(?:" + PART + "){1,5}");

  private static final Duration LONGEST = Duration.ofDays(36_525);
  private static final Map<String, Duration> UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  private Durations() {}

  /// @throws IllegalArgumentException if the text is not a duration, or is negative or above 100
  ///   years
  public static Duration parse(String text) {
    var duration = read(text);
    if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "\"%s\" is too %s: a duration is 0 to 100 years"
              .formatted(SafeText.shown(text), duration.isNegative() ? "short" : "long"));
    }
    return duration;
  }

  /// Rounded duration for display: `350ms`, `12.3s`, `2m05s`, `26h10m`.
  public static String format(Duration duration) {
    long millis = duration.toMillis();
    if (millis < 1_000) {
      return millis + "ms";
    }
    if (millis < 60_000) {
      return millis / 1_000 + "." + millis % 1_000 / 100 + "s";
    }
    return duration.toHours() < 1
        ? "%dm%02ds".formatted(duration.toMinutes(), duration.toSecondsPart())
        : "%dh%02dm".formatted(duration.toHours(), duration.toMinutesPart());
  }

  /// Exact duration without zero units: `10s`, `1m30s`, `36h`, `30d`.
  public static String exact(Duration duration) {
    return DurationWords.exact(duration);
  }

  private static Duration read(String text) {
    try {
      return SHORT.matcher(text).matches() ? sum(text) : Duration.parse(text);
    } catch (DateTimeException | ArithmeticException notOne) {
      throw new IllegalArgumentException(
          "\"%s\" is not a duration: write 500ms, 2s, 5m, 1h, 2d or PT30S"
              .formatted(SafeText.shown(text)));
    }
  }

  /// Sum of parts with decreasing units: `1h30m`, but not `30m1h`.
  private static Duration sum(String text) {
    var sum = Duration.ZERO;
    var last = LONGEST;
    var parts = PART.matcher(text);
    while (parts.find()) {
      var unit = UNITS.get(parts.group(2));
      if (unit.compareTo(last) >= 0) {
        throw new ArithmeticException();
      }
      last = unit;
      sum = sum.plus(times(new BigDecimal(parts.group(1)), unit));
    }
    return sum;
  }

  private static Duration times(BigDecimal count, Duration unit) {
    var nanos =
        count.multiply(BigDecimal.valueOf(unit.toNanos())).setScale(0, RoundingMode.HALF_UP);
    var parts = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000));
    return Duration.ofSeconds(parts[0].longValueExact(), parts[1].longValue());
  }
}
