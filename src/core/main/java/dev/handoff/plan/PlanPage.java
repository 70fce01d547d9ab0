package dev.handoff.plan;

import java.util.List;
import java.util.Optional;

/// One page of plans, newest first.
///
/// @param next cursor of the next page; empty for the last page
public record PlanPage(List<PlanOverview> plans, Optional<String> next) {

  public PlanPage {
    plans = List.copyOf(plans);
  }
}
