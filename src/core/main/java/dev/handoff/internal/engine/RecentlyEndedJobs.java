package dev.handoff.internal.engine;

import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobState;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Newest ended jobs without history row. The cache serves requests that come a moment too late:
/// for a job that took a millisecond, or between two requests of a watch. Callers must not rely on
/// it.
final class RecentlyEndedJobs {

  static final int MOST = 1_000;
  static final int MOST_BYTES = 8 << 20;

  private static final int OVERHEAD = 2_048;

  private final Map<JobId, JobState> jobs = new LinkedHashMap<>();
  private long bytes;

  void add(JobState ended) {
    remove(ended.id());
    jobs.put(ended.id(), ended);
    bytes += size(ended);
    while (jobs.size() > MOST || bytes > MOST_BYTES) {
      remove(jobs.keySet().iterator().next());
    }
  }

  @Nullable JobState get(JobId job) {
    return jobs.get(job);
  }

  private void remove(JobId job) {
    var gone = jobs.remove(job);
    bytes -= gone == null ? 0 : size(gone);
  }

  /// Approximate memory of a job.
  private static long size(JobState job) {
    int result = job.phase() instanceof JobPhase.Succeeded won ? won.result().size() : 0;
    var checkpoint = job.trail().checkpoint();
    int kept = checkpoint == null ? 0 : checkpoint.size();
    long log = job.trail().log().stream().mapToLong(String::length).sum();
    long errors = job.trail().attempts().stream().mapToLong(attempt -> size(attempt.error())).sum();
    return OVERHEAD + job.spec().payload().size() + result + kept + log + errors;
  }

  private static long size(@Nullable JobError error) {
    return error == null ? OVERHEAD : OVERHEAD + error.message().length() + error.stack().length();
  }
}
