package dev.handoff.cli;

import dev.handoff.JobInfo;
import java.util.ArrayList;
import java.util.List;

/// How the jobs of a file fared so far. Belongs to the thread of the run.
final class RunCounts {

  private static final int MOST_EXAMPLES = 10;

  /// A job that did not succeed.
  ///
  /// @param id null for one that was not accepted
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

  /// @param ownKeys how many of the jobs have a key of their own
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

  /// @param earlier whether it had ended before this run
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
        example(new Example(line, job.id().value(), "failed", Ends.reason(job)));
      }
      case CANCELLED -> {
        cancelled++;
        example(new Example(line, job.id().value(), "cancelled", Ends.reason(job)));
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

  /// Jobs that have a key of their own.
  long ownKeys() {
    return ownKeys;
  }

  /// How many lines there is nothing more to wait for.
  long done() {
    return succeeded + failed + cancelled + refused;
  }

  long accepted() {
    return accepted;
  }

  /// Lines whose job was there already.
  long known() {
    return known;
  }

  /// Lines whose job had ended already.
  long endedEarlier() {
    return endedEarlier;
  }

  long succeeded() {
    return succeeded;
  }

  long failed() {
    return failed;
  }

  /// Jobs that have failed in this run.
  long failedNow() {
    return failed - failedEarlier;
  }

  long cancelled() {
    return cancelled;
  }

  long refused() {
    return refused;
  }

  /// Jobs that had more than one attempt.
  long retried() {
    return retried;
  }

  /// Attempts beyond the first ones.
  long retries() {
    return retries;
  }

  /// The first jobs that did not succeed.
  List<Example> examples() {
    return List.copyOf(examples);
  }
}
