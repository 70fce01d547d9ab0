package dev.handoff.internal.breaker;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import dev.handoff.internal.text.DurationWords;
import dev.handoff.internal.text.NameRule;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/// Settings of all breakers: section `handoff.breakers` of `reference.conf`.
///
/// @param keep limit of the number of breakers
/// @param callTimeout default deadline of a guarded call
/// @param standard rule of breakers without their own section
public record BreakerSettings(
    int keep, Duration callTimeout, BreakerRule standard, Map<String, BreakerRule> named) {

  static final Duration SHORTEST = Duration.ofMillis(1);
  static final Duration LONGEST = Duration.ofDays(80);
  private static final String SECTION = "handoff.breakers.";
  private static final int MOST = 100_000;

  public BreakerSettings {
    named = Map.copyOf(named);
    if (keep < 1 || keep > MOST) {
      throw new IllegalArgumentException(
          "%skeep must be 1 to %d, was %d".formatted(SECTION, MOST, keep));
    }
    if (callTimeout.compareTo(SHORTEST) < 0 || callTimeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%scall-timeout must be 1ms to %s, was %s"
              .formatted(SECTION, DurationWords.exact(LONGEST), DurationWords.exact(callTimeout)));
    }
  }

  public static BreakerSettings from(Config handoff) {
    var section = handoff.getConfig("breakers");
    var standard = section.getConfig("default");
    var named = new HashMap<String, BreakerRule>();
    overrides(section.getConfig("named"))
        .forEach((name, own) -> named.put(name, named(name, own.withFallback(standard))));
    return new BreakerSettings(
        section.getInt("keep"),
        section.getDuration("call-timeout"),
        refusedWith(SECTION + "default.", () -> rule(standard, "")),
        named);
  }

  /// Rule of the named breaker.
  BreakerRule rule(String name) {
    return named.getOrDefault(name, standard);
  }

  /// Settings grouped by breaker name. Names with dots work with or without quotes.
  private static Map<String, Config> overrides(Config section) {
    var overrides = new HashMap<String, Config>();
    for (var entry : section.entrySet()) {
      var path = ConfigUtil.splitPath(entry.getKey());
      var name = String.join(".", path.subList(0, path.size() - 1));
      var own =
          ConfigFactory.empty().withValue(ConfigUtil.joinPath(path.getLast()), entry.getValue());
      overrides.merge(name, own, Config::withFallback);
    }
    return overrides;
  }

  private static BreakerRule named(String name, Config section) {
    NameRule.problem(SECTION + "named", name)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem);
            });
    var path = SECTION + "named." + ConfigUtil.joinPath(name);
    return refusedWith(path + ".", () -> rule(section.atPath(path), path + "."));
  }

  private static BreakerRule refusedWith(String prefix, Supplier<BreakerRule> rule) {
    try {
      return rule.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(prefix + e.getMessage(), e);
    }
  }

  private static BreakerRule rule(Config config, String path) {
    return new BreakerRule(
        config.getInt(path + "failure-threshold"),
        new BreakerRule.Rates(
            config.getInt(path + "failure-rate"),
            config.getInt(path + "slow-rate"),
            config.getDuration(path + "slow-after"),
            config.getDuration(path + "window"),
            config.getInt(path + "minimum-calls")),
        new BreakerRule.Opening(
            config.getDuration(path + "open-for"), config.getDuration(path + "open-for-most")),
        new BreakerRule.Trials(
            config.getInt(path + "trial-calls"), config.getDuration(path + "trial-deadline")),
        config.getDuration(path + "lost-after"));
  }
}
