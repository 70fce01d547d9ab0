package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.job.AttemptRecord;
import dev.handoff.job.EndCause;
import dev.handoff.job.JobStatus;
import dev.handoff.job.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What was announced of some jobs of the demo: how each of them ends, and after which attempts.
///
/// @param who they are, in words
/// @param jobs their names
/// @param attempts why each attempt ends; null = it succeeds
record DemoRole(
    String who,
    String announced,
    List<String> jobs,
    JobStatus status,
    List<@Nullable EndCause> attempts) {

  static DemoRole of(
      String who,
      String announced,
      List<String> jobs,
      JobStatus status,
      @Nullable EndCause... attempts) {
    var ends = new ArrayList<@Nullable EndCause>();
    for (var end : attempts) {
      ends.add(end);
    }
    return new DemoRole(who, announced, jobs, status, ends);
  }

  /// What of a job is not as it was announced; empty if all is.
  List<String> differences(@Nullable JobInfo job) {
    var differences = new ArrayList<String>();
    if (job == null) {
      return List.of("is not there");
    }
    if (job.status() != status) {
      differences.add("is " + job.status().label());
    }
    var ends = job.state().trail().attempts().stream().map(AttemptRecord::cause).toList();
    if (!Objects.equals(ends, attempts)) {
      differences.add("attempts ended as " + words(ends));
    }
    if (job.state().phase() instanceof Phase.Cancelled over && over.abandoned()) {
      differences.add("was abandoned");
    }
    job.state().trail().attempts().stream()
        .filter(attempt -> attempt.claimedAt().isBefore(due(job)))
        .forEach(
            attempt ->
                differences.add("attempt %d ran before it was due".formatted(attempt.number())));
    return differences;
  }

  /// How the attempts ended, in words.
  static String words(List<@Nullable EndCause> ends) {
    return ends.isEmpty()
        ? "never ran"
        : String.join(
            ", ", ends.stream().map(end -> end == null ? "succeeded" : end.label()).toList());
  }

  private static Instant due(JobInfo job) {
    var runAt = job.state().spec().runAt();
    return runAt == null ? job.state().createdAt() : runAt;
  }
}
