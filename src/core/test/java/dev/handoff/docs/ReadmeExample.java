package dev.handoff.docs;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanRequest;

/// Example of a plan, quoted in the README.
public final class ReadmeExample {

  private ReadmeExample() {}

  // #plan
  static PlanHandle site(Handoff handoff) {
    return handoff
        .plans()
        .submitOrThrow(
            PlanRequest.of("site")
                .step("home", JobRequest.of("page", "home"))
                .step("news", JobRequest.of("page", "news").maxAttempts(5))
                .step("index", JobRequest.of("index"), PlanRequest.after("home", "news")));
  }
  // #plan
}
