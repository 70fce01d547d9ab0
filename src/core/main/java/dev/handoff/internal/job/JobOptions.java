package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.Backoff;
import dev.handoff.RetryRule;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Options that most jobs leave at their defaults. Equal options are shared, so that a million
/// ordinary jobs share one instance.
///
/// @param timeout longest run of an attempt from its start; null = unlimited
/// @param heartbeatTimeout longest silence of an attempt; null = unlimited
/// @param maxAttempts number of starts; 1 = at most once
/// @param retryIf failures that are retried; null = not restricted by the job
public record JobOptions(
    @Nullable Duration timeout,
    @Nullable Duration heartbeatTimeout,
    int maxAttempts,
    Backoff backoff,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> labels,
    @Nullable RetryRule retryIf) {

  /// Default options. Never change them: stored facts omit options that equal them.
  public static final JobOptions DEFAULT = new JobOptions(null, null, 3, Backoff.DEFAULT, Map.of());

  public JobOptions {
    labels = labels == null ? Map.of() : Map.copyOf(labels);
  }

  public JobOptions(
      @Nullable Duration timeout,
      @Nullable Duration heartbeatTimeout,
      int maxAttempts,
      Backoff backoff,
      Map<String, String> labels) {
    this(timeout, heartbeatTimeout, maxAttempts, backoff, labels, null);
  }

  /// Fingerprint of the options, independent of label order. Parents store it with their children,
  /// so options that older versions know must keep their fingerprint.
  String fingerprint() {
    var common =
        String.join(
            "\0",
            "" + timeout,
            "" + heartbeatTimeout,
            "" + maxAttempts,
            "" + backoff,
            "" + new TreeMap<>(labels));
    return retryIf == null ? common : common + "\0" + retryIf;
  }

  /// Returns the shared default if these options equal it.
  JobOptions shared() {
    return equals(DEFAULT) ? DEFAULT : this;
  }

  /// Filter that omits default options from stored and sent specs.
  static final class Usual {
    @Override
    public boolean equals(Object other) {
      return DEFAULT.equals(other);
    }

    @Override
    public int hashCode() {
      return DEFAULT.hashCode();
    }
  }
}
