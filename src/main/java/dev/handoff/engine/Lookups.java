package dev.handoff.engine;

import dev.handoff.job.Archive;
import dev.handoff.job.Archived;
import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import dev.handoff.store.HistoryRow;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/// What a partition asks of history, and the messages for jobs without an actor that wait for the
/// answer.
final class Lookups {

  private final ActorContext<Partition.Command> context;
  private final PartitionEnvironment environment;
  private final Silence silence;
  private final Waiting<JobId, Job.Command> waiting;

  Lookups(
      ActorContext<Partition.Command> context, PartitionEnvironment environment, Silence silence) {
    this.context = context;
    this.environment = environment;
    this.silence = silence;
    this.waiting = new Waiting<>(environment.settings().jobs().stash());
  }

  /// From now on messages for the job wait.
  void open(JobId job) {
    waiting.open(job);
  }

  boolean isOpen(JobId job) {
    return waiting.isOpen(job);
  }

  /// Has a message wait with those that do already.
  void await(JobId job, Job.Command message) {
    if (!waiting.add(job, message)) {
      turnAway(job, message, "too many messages wait for job " + job);
    }
  }

  /// Looks for the job in history. Answered with [Partition.RowFound].
  void ask(JobId job, Job.Command first) {
    open(job);
    await(job, first);
    context.pipeToSelf(
        environment.ledger().store().find(job.value()),
        (row, failure) -> new Partition.RowFound(job, row, failure));
  }

  /// The answer is there: what has waited for it.
  List<Job.Command> close(JobId job) {
    return waiting.close(job);
  }

  /// Looks for keys in history. Answered with [Partition.KeysFound].
  void askForKeys(Set<String> keys) {
    context.pipeToSelf(environment.ledger().store().findKeys(keys), Partition.KeysFound::new);
  }

  /// Reads the row of a key's holder. Answered with [Partition.HolderFound].
  void askForHolder(Admission.Doubt doubt) {
    context.pipeToSelf(
        environment.ledger().store().find(doubt.holder()), Partition.HolderFound::new);
  }

  void turnAway(JobId job, Job.Command message, String reason) {
    Archived.unavailable(message, job, reason, environment.retryAfter());
  }

  /// @throws IOException whose message names the job
  JobState read(HistoryRow row) throws IOException {
    try {
      return Archive.read(row, environment.ledger().codec());
    } catch (IOException e) {
      var reason = "job %s cannot be read from history: %s".formatted(row.id(), e.getMessage());
      context.getLog().error(reason);
      throw new IOException(reason, e);
    }
  }

  /// Why there is no answer.
  String unanswered(Throwable failure) {
    return silence.reason(failure);
  }
}
