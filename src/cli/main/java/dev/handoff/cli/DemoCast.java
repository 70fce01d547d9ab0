package dev.handoff.cli;

import java.util.List;

/// All expectations of the demo.
record DemoCast(List<DemoRole> roles, DemoPlanRole plan) {

  DemoCast {
    roles = List.copyOf(roles);
  }
}
