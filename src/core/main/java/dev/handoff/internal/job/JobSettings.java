package dev.handoff.internal.job;

import com.typesafe.config.Config;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;

/// Settings of all jobs: `handoff.jobs`, `handoff.cancel` and `handoff.log` in `reference.conf`.
///
/// @param stash number of messages that a job keeps during an append; more are refused
/// @param repeat time without an answer after which a `Stop` is sent again
/// @param abandon time from the cancel after which a running attempt is given up
/// @param report extra time that a parent waits for reports of its children
/// @param failures log of failed attempts
public record JobSettings(
    int stash, Duration repeat, Duration abandon, Duration report, FailureLog failures) {

  public JobSettings(int stash, Duration repeat, Duration abandon, Duration report) {
    this(stash, repeat, abandon, report, FailureLog.USUAL);
  }

  public JobSettings {
    if (stash < 1) {
      throw new IllegalArgumentException("handoff.jobs.stash must be at least 1, was " + stash);
    }
    requirePositive("repeat", repeat);
    requirePositive("abandon", abandon);
    requirePositive("report", report);
  }

  private static void requirePositive(String key, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(
          "handoff.cancel.%s must be more than 0s, was %s"
              .formatted(key, DurationWords.exact(value)));
    }
  }

  public static JobSettings from(Config handoff) {
    return new JobSettings(
        handoff.getInt("jobs.stash"),
        handoff.getDuration("cancel.repeat"),
        handoff.getDuration("cancel.abandon"),
        handoff.getDuration("cancel.report"),
        FailureLog.from(handoff));
  }
}
