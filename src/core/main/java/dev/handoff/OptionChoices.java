package dev.handoff;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Explicitly chosen options of a job; null = not chosen.
record OptionChoices(
    @Nullable Duration timeout,
    @Nullable Duration heartbeatTimeout,
    @Nullable Integer maxAttempts,
    @Nullable Backoff backoff,
    @Nullable RetryRule retryIf,
    Map<String, String> labels) {

  static final OptionChoices NONE = new OptionChoices(null, null, null, null, null, Map.of());

  OptionChoices {
    labels = Map.copyOf(labels);
  }

  OptionChoices timeout(Duration time) {
    return new OptionChoices(whole(time), heartbeatTimeout, maxAttempts, backoff, retryIf, labels);
  }

  OptionChoices heartbeatTimeout(Duration time) {
    return new OptionChoices(timeout, whole(time), maxAttempts, backoff, retryIf, labels);
  }

  OptionChoices maxAttempts(int starts) {
    return new OptionChoices(timeout, heartbeatTimeout, starts, backoff, retryIf, labels);
  }

  OptionChoices backoff(Backoff delay) {
    Objects.requireNonNull(delay, "backoff");
    return new OptionChoices(timeout, heartbeatTimeout, maxAttempts, delay, retryIf, labels);
  }

  OptionChoices retryIf(RetryRule rule) {
    Objects.requireNonNull(rule, "rule");
    return new OptionChoices(timeout, heartbeatTimeout, maxAttempts, backoff, rule, labels);
  }

  OptionChoices label(String name, String value) {
    var more = new TreeMap<>(labels);
    more.put(name, value);
    return labels(more);
  }

  OptionChoices labels(Map<String, String> all) {
    return new OptionChoices(timeout, heartbeatTimeout, maxAttempts, backoff, retryIf, all);
  }

  /// Truncates to milliseconds, the precision of the store.
  private static Duration whole(Duration time) {
    return time.truncatedTo(ChronoUnit.MILLIS);
  }
}
