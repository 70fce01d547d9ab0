package dev.handoff.internal.engine;

import dev.handoff.JobId;
import dev.handoff.internal.job.EndedJobAnswers;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobArchive;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.store.HistoryRow;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/// History queries of a partition, with the waiting messages for jobs without an actor.
final class HistoryLookups {

  private final ActorContext<Partition.Command> context;
  private final PartitionEnvironment environment;
  private final StoreProbe probe;
  private final MessagesInWaiting<JobId, Job.Command> waiting;

  HistoryLookups(
      ActorContext<Partition.Command> context, PartitionEnvironment environment, StoreProbe probe) {
    this.context = context;
    this.environment = environment;
    this.probe = probe;
    this.waiting = new MessagesInWaiting<>(environment.settings().jobs().stash());
  }

  /// Makes messages for the job wait.
  void open(JobId job) {
    waiting.open(job);
  }

  boolean isOpen(JobId job) {
    return waiting.isOpen(job);
  }

  /// Adds a message to those that wait.
  void await(JobId job, Job.Command message) {
    if (!waiting.add(job, message)) {
      turnAway(job, message, "too many messages wait for job " + job);
    }
  }

  /// Looks up the job in history. Answered with [Partition.RowFound].
  void ask(JobId job, Job.Command first) {
    open(job);
    await(job, first);
    context.pipeToSelf(
        environment.ledger().store().find(job.value()),
        (row, failure) -> new Partition.RowFound(job, row, failure));
  }

  /// Ends the wait and returns the messages.
  List<Job.Command> close(JobId job) {
    return waiting.close(job);
  }

  /// Looks up keys in history. Answered with [Partition.KeysFound].
  void askForKeys(Set<String> keys) {
    context.pipeToSelf(environment.ledger().store().findKeys(keys), Partition.KeysFound::new);
  }

  /// Reads the history row of a key's holder. Answered with [Partition.HolderFound].
  void askForHolder(JobAdmission.Doubt doubt) {
    context.pipeToSelf(
        environment.ledger().store().find(doubt.holder()), Partition.HolderFound::new);
  }

  void turnAway(JobId job, Job.Command message, String reason) {
    EndedJobAnswers.unavailable(message, job, reason, environment.retryAfter());
  }

  /// @throws IOException whose message names the job
  JobState read(HistoryRow row) throws IOException {
    try {
      return JobArchive.read(row, environment.ledger().codec());
    } catch (IOException e) {
      var reason = "job %s cannot be read from history: %s".formatted(row.id(), e.getMessage());
      context.getLog().error(reason);
      throw new IOException(reason, e);
    }
  }

  /// Handles a failed query: the store is probed.
  ///
  /// @return reason of the failure
  String onFailure(Throwable failure) {
    probe.sendAfter(failure);
    return StoreProbe.reason(failure);
  }
}
