package dev.handoff.job;

import com.typesafe.config.Config;
import dev.handoff.actor.DurationWords;
import java.time.Duration;

/// What holds for all jobs: `handoff.jobs`, `handoff.cancel` and `handoff.log` in `reference.conf`.
///
/// @param stash how many messages one job keeps while its facts are being written; more are refused
/// @param repeat how long a `Stop` may stay unanswered before it is sent again
/// @param abandon how long, from its cancel, an attempt may go on before it is given up
/// @param report how much longer a parent waits for the reports of its children
/// @param failures what is said of attempts that have failed
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
