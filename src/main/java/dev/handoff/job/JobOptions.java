package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What most jobs leave at its default. Equal options are shared, so that a million ordinary jobs
/// hold one of these.
///
/// @param timeout how long an attempt may run, from its start; null = as long as it likes
/// @param heartbeatTimeout how long an attempt may be silent; null = as long as it likes
/// @param maxAttempts how many starts the job has; 1 = at most once
/// @param retryIf which failures are tried again; null = the job does not say
public record JobOptions(
    @Nullable Duration timeout,
    @Nullable Duration heartbeatTimeout,
    int maxAttempts,
    Backoff backoff,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> labels,
    @Nullable RetryRule retryIf) {

  /// The options of a job that asks for nothing. Never changed: stored facts leave out what is
  /// equal to it.
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

  /// Equal for equal options, whatever the order of the labels. Kept with children: that of options
  /// that could be given before has to stay what it was.
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

  /// The shared default, if these options are equal to it.
  JobOptions shared() {
    return equals(DEFAULT) ? DEFAULT : this;
  }

  /// Leaves the default out of what is stored and sent.
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
