package dev.handoff;

import dev.handoff.engine.Gateway;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobState;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// States of jobs, behind the plain values that users see: for checks that need all of them.
public final class JobStates {

  private JobStates() {}

  public static JobState of(Handoff handoff, JobId id) {
    var reply =
        TestPlan.<JobReply>ask(handoff, to -> new Gateway.Route(new ForJob(id, new Job.Get(to))));
    return ((JobReply.Done) reply).state();
  }

  /// Those of all jobs of a store.
  public static Map<JobId, JobState> of(HandoffReader reader) {
    var jobs = new HashMap<JobId, JobState>();
    Optional<String> after = Optional.empty();
    do {
      var page = reader.jobs(JobFilter.ALL, after, HandoffReader.MAX_LIMIT);
      page.jobs().forEach(job -> jobs.put(job.id(), reader.state(job.id()).orElseThrow()));
      after = page.next();
    } while (after.isPresent());
    return jobs;
  }

  /// What users see of a state.
  public static JobInfo info(JobState state, Instant seen) {
    return JobView.of(state, seen);
  }
}
