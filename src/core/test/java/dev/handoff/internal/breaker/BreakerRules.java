package dev.handoff.internal.breaker;

import com.typesafe.config.ConfigFactory;
import dev.handoff.JobError;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/// Breaker settings of tests: the defaults, with the test's own keys.
final class BreakerRules {

  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final Duration TOOK = Duration.ofMillis(3);
  static final JobError ERROR = JobError.of("no-route", "no route");

  /// Randomness in the middle of its range: no jitter.
  static final RandomGenerator MIDDLE = () -> Long.MIN_VALUE;

  private BreakerRules() {}

  static BreakerSettings settings(String own) {
    return BreakerSettings.from(
        ConfigFactory.parseString(own)
            .withFallback(ConfigFactory.defaultReference().resolve().getConfig("handoff")));
  }

  static BreakerRule rule(String own) {
    return settings("breakers.default { %s }".formatted(own)).standard();
  }

  static BreakerState fresh(String own) {
    return BreakerState.fresh("search", rule(own), START, 0);
  }
}
