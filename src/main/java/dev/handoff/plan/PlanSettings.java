package dev.handoff.plan;

import com.typesafe.config.Config;
import dev.handoff.actor.DurationWords;
import java.time.Duration;

/// What holds for all plans: `handoff.plans` in `reference.conf`.
///
/// @param waiting how many commands one plan keeps while its facts are being written; more are
///   refused
/// @param repeat how long a step may leave an order without effect before it is told again
public record PlanSettings(int waiting, Duration repeat) {

  public PlanSettings {
    if (waiting < 1) {
      throw new IllegalArgumentException(
          "handoff.plans.waiting must be at least 1, was " + waiting);
    }
    if (!repeat.isPositive()) {
      throw new IllegalArgumentException(
          "handoff.plans.repeat must be more than 0s, was " + DurationWords.exact(repeat));
    }
  }

  public static PlanSettings from(Config handoff) {
    return new PlanSettings(handoff.getInt("plans.waiting"), handoff.getDuration("plans.repeat"));
  }
}
