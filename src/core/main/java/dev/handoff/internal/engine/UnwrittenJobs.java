package dev.handoff.internal.engine;

import dev.handoff.JobId;
import dev.handoff.internal.job.EndedJobAnswers;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobState;
import java.util.function.Consumer;

/// New jobs whose first facts are in flight in a shared append. They have no actors yet, but hold
/// their keys: a later submission of such a key waits for the outcome.
final class UnwrittenJobs {

  private final JobKeys keys;
  private final HistoryLookups lookups;
  private final JobActors jobs;
  private final Consumer<JobEnvelope> deliver;

  /// @param deliver sends a message to a job
  UnwrittenJobs(
      JobKeys keys, HistoryLookups lookups, JobActors jobs, Consumer<JobEnvelope> deliver) {
    this.keys = keys;
    this.lookups = lookups;
    this.jobs = jobs;
    this.deliver = deliver;
  }

  void expect(Partition.NewJob job) {
    var key = job.spec().uniqueKey();
    if (key != null) {
      keys.hold(key, job.id());
      lookups.open(job.id());
    }
  }

  /// Creates a durable job's actor before the submitter gets a reply.
  void born(JobState job) {
    jobs.born(job);
    lookups.close(job.id()).forEach(message -> deliver.accept(new JobEnvelope(job.id(), message)));
  }

  /// Releases the key of a rejected job.
  void dropped(JobId job) {
    keys.release(job);
    lookups.close(job).forEach(message -> EndedJobAnswers.notFound(message, job));
  }
}
