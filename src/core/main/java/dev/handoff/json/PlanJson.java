package dev.handoff.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.handoff.plan.PlanInfo;

/// JSON form of a plan, shared by the CLI, HTTP and the documentation.
public final class PlanJson {

  private PlanJson() {}

  /// All fields; absent values are null or empty.
  public static ObjectNode write(PlanInfo plan) {
    return JobJson.tree(plan);
  }
}
