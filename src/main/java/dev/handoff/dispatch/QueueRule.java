package dev.handoff.dispatch;

import org.jspecify.annotations.Nullable;

/// What holds for one queue over the whole engine.
///
/// @param maxRunning how many of its jobs may be claimed at once; null = as many as there are
///   workers
public record QueueRule(boolean paused, @Nullable Integer maxRunning) {

  public static final QueueRule NONE = new QueueRule(false, null);

  public QueueRule {
    requireLimit(maxRunning);
  }

  static void requireLimit(@Nullable Integer maxRunning) {
    if (maxRunning != null && maxRunning < 1) {
      throw new IllegalArgumentException(
          "max-running must be at least 1, was " + maxRunning + ": pause the queue instead");
    }
  }
}
