package dev.handoff;

import java.util.List;
import java.util.Optional;

/// Some plans, newest first.
///
/// @param next the cursor of the page behind this one; empty if it is the last
public record PlanPage(List<PlanOverview> plans, Optional<String> next) {

  public PlanPage {
    plans = List.copyOf(plans);
  }
}
