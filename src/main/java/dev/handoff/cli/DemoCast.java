package dev.handoff.cli;

import java.util.List;

/// Everything that was announced in the demo.
record DemoCast(List<DemoRole> roles, DemoPlanRole plan) {

  DemoCast {
    roles = List.copyOf(roles);
  }
}
