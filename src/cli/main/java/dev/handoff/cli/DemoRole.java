package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Expectations for a group of demo jobs: final status and attempts.
///
/// @param who label of the group
/// @param jobs job names
/// @param attempts expected outcome per attempt
record DemoRole(
    String who,
    String announced,
    List<String> jobs,
    JobStatus status,
    List<JobInfo.AttemptOutcome> attempts) {

  static DemoRole of(
      String who,
      String announced,
      List<String> jobs,
      JobStatus status,
      JobInfo.AttemptOutcome... attempts) {
    return new DemoRole(who, announced, jobs, status, List.of(attempts));
  }

  /// Deviations of a job from the expectations; empty if none.
  List<String> differences(@Nullable JobInfo job) {
    var differences = new ArrayList<String>();
    if (job == null) {
      return List.of("is not there");
    }
    if (job.status() != status) {
      differences.add("is " + job.status().label());
    }
    var ends = job.attempts().stream().map(JobInfo.Attempt::outcome).toList();
    if (!ends.equals(attempts)) {
      differences.add("attempts ended as " + words(ends));
    }
    if (job.cancel().filter(JobInfo.Cancel::abandoned).isPresent()) {
      differences.add("was abandoned");
    }
    job.attempts().stream()
        .filter(attempt -> attempt.claimedAt().isBefore(due(job)))
        .forEach(
            attempt ->
                differences.add("attempt %d ran before it was due".formatted(attempt.attempt())));
    return differences;
  }

  /// Attempt outcomes as text.
  static String words(List<JobInfo.AttemptOutcome> ends) {
    return ends.isEmpty()
        ? "never ran"
        : String.join(", ", ends.stream().map(JobInfo.AttemptOutcome::label).toList());
  }

  private static Instant due(JobInfo job) {
    return job.runAt().orElse(job.createdAt());
  }
}
