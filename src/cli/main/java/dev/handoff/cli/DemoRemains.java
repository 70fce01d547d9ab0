package dev.handoff.cli;

import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.StoreSettings;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Data of the demo, read from disk after the engine was closed.
///
/// @param jobs by name
/// @param plan null if missing
/// @param verdict verification of the plan's changes; null if missing
/// @param site file contents
record DemoRemains(
    Map<String, JobInfo> jobs,
    @Nullable PlanInfo plan,
    @Nullable ChainVerdict verdict,
    Map<String, String> site) {

  /// Job name of a step.
  static String step(String path) {
    return "step " + path;
  }

  static DemoRemains read(Path store, PlanId id, DemoSite site) throws IOException {
    try (var reader = HandoffReader.open(new StoreSettings.File(store))) {
      var plan = reader.plan(id).orElse(null);
      var steps = new HashMap<JobId, String>();
      if (plan != null) {
        name(plan, "", steps);
      }
      return new DemoRemains(
          jobs(reader, steps), plan, reader.verify(id).orElse(null), site.files());
    }
  }

  private static void name(PlanInfo plan, String at, Map<JobId, String> steps) {
    for (var step : plan.steps()) {
      step.info().ifPresent(job -> steps.put(job.id(), step(at + step.name())));
      step.plan().ifPresent(child -> name(child, at + step.name() + "/", steps));
    }
  }

  private static Map<String, JobInfo> jobs(HandoffReader reader, Map<JobId, String> steps) {
    var jobs = new HashMap<String, JobInfo>();
    for (var job : reader.jobs(JobFilter.ALL, Optional.empty(), HandoffReader.MAX_LIMIT).jobs()) {
      var key = job.key().orElse(job.id().value());
      jobs.put(steps.getOrDefault(job.id(), key), job);
    }
    return jobs;
  }
}
