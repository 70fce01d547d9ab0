package dev.handoff.cli;

import dev.handoff.JobInfo;
import java.util.ArrayList;
import java.util.List;

/// Counters of a run. Confined to the run's thread.
final class RunCounts {

  private static final int MOST_EXAMPLES = 10;

  /// A job that did not succeed.
  ///
  /// @param id empty if the job was refused
  record Example(int line, String id, String what, String reason) {}

  private final long total;
  private final long ownKeys;
  private final List<Example> examples = new ArrayList<>();
  private long accepted;
  private long known;
  private long endedEarlier;
  private long succeeded;
  private long failed;
  private long failedEarlier;
  private long cancelled;
  private long refused;
  private long retried;
  private long retries;

  /// @param ownKeys number of jobs with an explicit key
  RunCounts(long total, long ownKeys) {
    this.total = total;
    this.ownKeys = ownKeys;
  }

  void accepted(boolean before) {
    if (before) {
      known++;
    } else {
      accepted++;
    }
  }

  void refused(int line, String reason) {
    refused++;
    example(new Example(line, "", "refused", reason));
  }

  /// @param earlier whether the job ended before this run
  void ended(int line, JobInfo job, boolean earlier) {
    endedEarlier += earlier ? 1 : 0;
    int more = job.attempt() - 1;
    if (more > 0) {
      retried++;
      retries += more;
    }
    switch (job.status()) {
      case SUCCEEDED -> succeeded++;
      case FAILED -> {
        failed++;
        failedEarlier += earlier ? 1 : 0;
        example(new Example(line, job.id().value(), "failed", JobEndText.reason(job)));
      }
      case CANCELLED -> {
        cancelled++;
        example(new Example(line, job.id().value(), "cancelled", JobEndText.reason(job)));
      }
      case WAITING, SCHEDULED, QUEUED, CLAIMED, RUNNING, CANCELLING ->
          throw new IllegalArgumentException("job " + job.id() + " has not ended");
    }
  }

  private void example(Example example) {
    if (examples.size() < MOST_EXAMPLES) {
      examples.add(example);
    }
  }

  long total() {
    return total;
  }

  /// Jobs with an explicit key.
  long ownKeys() {
    return ownKeys;
  }

  /// Completed lines: ended or refused.
  long done() {
    return succeeded + failed + cancelled + refused;
  }

  long accepted() {
    return accepted;
  }

  /// Lines whose job already existed.
  long known() {
    return known;
  }

  /// Lines whose job had ended before this run.
  long endedEarlier() {
    return endedEarlier;
  }

  long succeeded() {
    return succeeded;
  }

  long failed() {
    return failed;
  }

  /// Jobs that failed in this run.
  long failedNow() {
    return failed - failedEarlier;
  }

  long cancelled() {
    return cancelled;
  }

  long refused() {
    return refused;
  }

  /// Jobs with more than one attempt.
  long retried() {
    return retried;
  }

  /// Attempts after the first of each job.
  long retries() {
    return retries;
  }

  /// First jobs that did not succeed.
  List<Example> examples() {
    return List.copyOf(examples);
  }
}
