package dev.handoff.internal.plan;

import com.typesafe.config.Config;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;

/// Settings of all plans: `handoff.plans` in `reference.conf`.
///
/// @param waiting most commands queued per plan while its facts are being written; more are refused
/// @param repeat delay before an order without effect is sent again to its step
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
