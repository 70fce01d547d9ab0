package dev.handoff.cli;

import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobStatus;
import dev.handoff.StoreException;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Unfinished work of earlier runs beside one plan; an engine on the store completes it, too.
final class UnfinishedWork {

  private static final List<PlanStatus> UNFINISHED =
      List.of(PlanStatus.RUNNING, PlanStatus.FAILING, PlanStatus.CANCELLING);
  private static final List<JobStatus> UNDER_WAY =
      List.of(JobStatus.QUEUED, JobStatus.CLAIMED, JobStatus.RUNNING, JobStatus.CANCELLING);

  private UnfinishedWork() {}

  /// Note about such work; empty if none exists or the store is unreadable.
  ///
  /// @param own plan of this run; null = new plan
  /// @param types known job types
  static Optional<String> of(StoreOptions store, @Nullable PlanId own, Set<String> types) {
    try (var reader = HandoffReader.open(store.kind())) {
      return line(plans(reader, own), jobs(reader, types));
    } catch (StoreException none) {
      return Optional.empty(); // opening the store as owner reports the error
    }
  }

  private static List<String> plans(HandoffReader reader, @Nullable PlanId own) {
    return UNFINISHED.stream()
        .flatMap(
            status ->
                reader
                    .plans(Optional.of(status), Optional.empty(), HandoffReader.MAX_LIMIT)
                    .plans()
                    .stream())
        .filter(plan -> !plan.id().equals(own))
        .map(plan -> plan.id().value())
        .toList();
  }

  private static long jobs(HandoffReader reader, Set<String> types) {
    return UNDER_WAY.stream()
        .map(JobFilter.ALL::status)
        .flatMap(
            filter ->
                reader.jobs(filter, Optional.empty(), HandoffReader.MAX_LIMIT).jobs().stream())
        .filter(job -> job.plan().isEmpty() && types.contains(job.type()))
        .count();
  }

  private static Optional<String> line(List<String> plans, long jobs) {
    var parts = new ArrayList<String>();
    if (!plans.isEmpty()) {
      parts.add(
          "%s (%s)".formatted(PlanText.count(plans.size(), "plan"), PlanDiffCommand.some(plans)));
    }
    if (jobs > 0) {
      parts.add(PlanText.count(jobs, "job"));
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "also runs the unfinished work of earlier runs in this store: "
                + String.join(" and ", parts));
  }
}
