package dev.handoff;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// A plan as JSON: the one form that the CLI, HTTP and the documentation share.
public final class PlanJson {

  private PlanJson() {}

  /// All fields; what a plan does not have is null or empty.
  public static ObjectNode write(PlanInfo plan) {
    return JobJson.tree(plan);
  }
}
