package dev.handoff.engine;

import dev.handoff.job.Archived;
import dev.handoff.job.ForJob;
import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import java.util.function.Consumer;

/// New jobs whose first facts are being written with those of others. They have no actors yet, but
/// their keys are taken: a later submission of such a key waits until it is known what became of
/// the job.
final class UnbornJobs {

  private final Keys keys;
  private final Lookups lookups;
  private final JobActors jobs;
  private final Consumer<ForJob> deliver;

  /// @param deliver gives a message to a job
  UnbornJobs(Keys keys, Lookups lookups, JobActors jobs, Consumer<ForJob> deliver) {
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

  /// The job is durable, and has its actor before anybody hears of it.
  void born(JobState job) {
    jobs.born(job);
    lookups.close(job.id()).forEach(message -> deliver.accept(new ForJob(job.id(), message)));
  }

  /// The job was not accepted: its key is free again.
  void dropped(JobId job) {
    keys.release(job);
    lookups.close(job).forEach(message -> Archived.notFound(message, job));
  }
}
