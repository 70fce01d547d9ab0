package dev.handoff.internal.dispatch;

import org.jspecify.annotations.Nullable;

/// Rule of one queue for the whole engine.
///
/// @param maxRunning maximum number of claimed jobs at once; null = as many as there are workers
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
