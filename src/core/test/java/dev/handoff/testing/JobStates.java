package dev.handoff.testing;

import dev.handoff.Handoff;
import dev.handoff.HandoffReader;
import dev.handoff.JobFilter;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.facade.JobView;
import dev.handoff.internal.facade.plan.StoreReader;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.StateReply;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Internal job states, for checks that need more than the public values.
public final class JobStates {

  private JobStates() {}

  public static JobState of(Handoff handoff, JobId id) {
    var reply =
        TestPlan.<StateReply>ask(
            handoff, to -> new Gateway.Route(new JobEnvelope(id, new Job.Get(to))));
    return ((StateReply.Found) reply).state();
  }

  /// States of all jobs in a store.
  public static Map<JobId, JobState> of(HandoffReader reader) {
    var jobs = new HashMap<JobId, JobState>();
    Optional<String> after = Optional.empty();
    do {
      var page = reader.jobs(JobFilter.ALL, after, HandoffReader.MAX_LIMIT);
      page.jobs()
          .forEach(job -> jobs.put(job.id(), ((StoreReader) reader).state(job.id()).orElseThrow()));
      after = page.next();
    } while (after.isPresent());
    return jobs;
  }

  /// Public view of a state.
  public static JobInfo info(JobState state, Instant seen) {
    return JobView.of(state, seen);
  }
}
