package dev.handoff;

import dev.handoff.job.JobId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;

/// SIGNATURES - implementation by the lead is on its way
public final class Handoff implements AutoCloseable {

  public static HandoffBuilder builder() {
    return new HandoffBuilder();
  }

  public static HandoffBuilder on(ActorSystem<?> system) {
    throw new IllegalStateException();
  }

  public CompletionStage<Submission> submit(JobRequest request) {
    throw new IllegalStateException();
  }

  public JobHandle submitOrThrow(JobRequest request) {
    throw new IllegalStateException();
  }

  public Flow<JobRequest, Submission.Accepted, NotUsed> submitAll() {
    throw new IllegalStateException();
  }

  public JobHandle handle(JobId id) {
    return new JobHandle(id, this);
  }

  public Cancelling cancel(JobId id, String reason) {
    throw new IllegalStateException();
  }

  public CompletionStage<RetryAnswer> retry(JobId id, String by) {
    throw new IllegalStateException();
  }

  public CompletionStage<Optional<JobInfo>> job(JobId id) {
    throw new IllegalStateException();
  }

  CompletionStage<Outcome> result(JobId id) {
    throw new IllegalStateException();
  }

  public CompletionStage<JobPage> jobs(JobFilter filter, Optional<String> cursor, int limit) {
    throw new IllegalStateException();
  }

  public QueueCommands queues() {
    throw new IllegalStateException();
  }

  public Source<JobEvent, NotUsed> events() {
    throw new IllegalStateException();
  }

  public CompletionStage<Health> health() {
    throw new IllegalStateException();
  }

  @Override
  public void close() {}
}
