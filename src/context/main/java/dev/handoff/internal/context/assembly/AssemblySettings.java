package dev.handoff.internal.context.assembly;

import com.knuddels.jtokkit.api.EncodingType;
import com.typesafe.config.Config;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.util.List;

/// Settings of context assembly.
///
/// @param strategies names of the enabled strategies
/// @param maxParallel parallel strategies per request
/// @param timeout per strategy
/// @param atOnce concurrent requests
/// @param encoding tokenizer encoding
public record AssemblySettings(
    List<String> strategies, int maxParallel, Duration timeout, int atOnce, String encoding) {

  static final Duration SHORTEST = Duration.ofMillis(1);
  static final Duration LONGEST = Duration.ofHours(1);

  public AssemblySettings {
    strategies = List.copyOf(strategies);
    require("max-parallel", maxParallel, 64);
    require("at-once", atOnce, 10_000);
    if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "handoff.context.timeout must be %s, was %s"
              .formatted(range(), Durations.exact(timeout)));
    }
    if (EncodingType.fromName(encoding).isEmpty()) {
      throw new IllegalArgumentException(
          "handoff.context.encoding: " + TokenCounters.unknown(encoding));
    }
  }

  /// Permitted range of a time limit, in words.
  static String range() {
    return Durations.exact(SHORTEST) + " to " + Durations.exact(LONGEST);
  }

  private static void require(String key, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "handoff.context.%s must be 1 to %d, was %d".formatted(key, most, value));
    }
  }

  /// @param context section `handoff.context`
  public static AssemblySettings from(Config context) {
    return new AssemblySettings(
        context.getStringList("strategies"),
        context.getInt("max-parallel"),
        context.getDuration("timeout"),
        context.getInt("at-once"),
        context.getString("encoding"));
  }
}
