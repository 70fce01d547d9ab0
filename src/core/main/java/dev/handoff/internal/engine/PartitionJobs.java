package dev.handoff.internal.engine;

import dev.handoff.JobId;
import dev.handoff.internal.job.EndedJobAnswers;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobArchive;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobEnvironment;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.store.HistoryRow;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/// Jobs of a partition: delivers messages to actors, answers for jobs without one, and keeps keys
/// unique.
///
/// A job without an actor is looked up once, while further messages for it wait: so no answer or
/// action relies on an outdated row.
final class PartitionJobs {

  private final PartitionEnvironment environment;
  private final JobActors jobs;
  private final HistoryLookups lookups;
  private final JobAdmission admission;
  private final BatchWriter batches;
  private final ActorRevival revival;
  private final RecentlyEndedJobs recent = new RecentlyEndedJobs();

  /// @param dispatcher dispatcher of the jobs
  /// @param notices receiver of the jobs' notices to their partition
  PartitionJobs(
      ActorContext<Partition.Command> context,
      PartitionEnvironment environment,
      ActorRef<Ledger.Command> ledger,
      JobNotice.Receiver dispatcher,
      ActorRef<PartitionNotice> notices) {
    this.environment = environment;
    var jobEnvironment =
        new JobEnvironment(
            ledger,
            dispatcher,
            notices,
            environment.ledger().codec(),
            environment.clock(),
            environment.settings().jobs(),
            environment.settings().history().rules());
    jobs = new JobActors(context, Job.unborn(jobEnvironment));
    lookups = new HistoryLookups(context, environment, new StoreProbe(ledger));
    var keys = new JobKeys(environment.ledger().settings().backlog());
    var unwritten = new UnwrittenJobs(keys, lookups, jobs, this::deliver);
    batches = new BatchWriter(context, environment, ledger, unwritten);
    admission = new JobAdmission(environment, lookups, jobs, this::deliver, keys, batches);
    revival = new ActorRevival(context, ledger, jobs, admission, lookups, this::deliver);
  }

  void on(Partition.ForJobs message) {
    switch (message) {
      case Partition.Submit submit -> admission.submit(submit);
      case Partition.SubmitBatch batch -> admission.submit(batch);
      case Partition.MemberAnswered(var batch, var member, var reply) -> batch.put(member, reply);
      case Partition.BatchWritten(var batch, var part, var reply) ->
          batches.written(batch, part, reply);
      case Partition.Deliver(var forJob) -> deliver(forJob);
      case Partition.JobSays(var notice) -> onNotice(notice);
      case Partition.KeysFound(var holders, var failure) -> admission.found(holders, failure);
      case Partition.HolderFound(var row, var failure) -> admission.foundHolder(row, failure);
      case Partition.RowFound(var job, var row, var failure) -> onRow(job, row, failure);
      case Partition.StateFound(var asked, var reply) -> revival.found(asked, reply);
      case Partition.AskLedger again -> revival.ask(again);
    }
  }

  /// Restores a job that was live at recovery.
  void restore(JobState job) {
    admission.hold(job.spec().uniqueKey(), job.id());
    jobs.spawn(job.id(), new Job.StartLive(job));
  }

  /// Creates the actor of a job accepted together with others.
  void born(JobState job) {
    jobs.born(job);
  }

  /// Creates an accepted job's actor, unless present.
  void find(JobId job) {
    revival.find(job);
  }

  void turnAway(JobId job, Job.Command message, String reason) {
    lookups.turnAway(job, message, reason);
  }

  void deliver(JobEnvelope message) {
    var id = message.job();
    var command = message.command();
    var job = jobs.get(id);
    var left = revival.leftBecause(id);
    if (lookups.isOpen(id)) {
      lookups.await(id, command);
    } else if (left != null) {
      lookups.turnAway(id, command, left);
    } else if (job != null) {
      job.tell(command);
    } else if (recent.get(id) instanceof JobState ended) {
      answerDropped(command, ended);
    } else {
      lookups.ask(id, command);
    }
  }

  /// A job without history row is not reopened: its key may have another holder.
  private void answerDropped(Job.Command command, JobState ended) {
    if (command instanceof Job.Do(JobCommand.Retry retry, var replyTo)) {
      EndedJobAnswers.notFound(command, ended.id());
    } else {
      answer(command, ended);
    }
  }

  private void onRow(JobId id, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure) {
    var messages = lookups.close(id);
    try {
      if (jobs.has(id)) {
        messages.forEach(message -> deliver(new JobEnvelope(id, message)));
      } else if (failure != null) {
        var reason = lookups.onFailure(failure);
        messages.forEach(message -> lookups.turnAway(id, message, reason));
      } else if (row.filter(found -> found.kind().equals(JobArchive.KIND)).isEmpty()) {
        messages.forEach(message -> EndedJobAnswers.notFound(message, id));
      } else {
        var ended = lookups.read(row.get());
        messages.forEach(message -> answer(message, ended));
      }
    } catch (IOException unreadable) {
      messages.forEach(message -> lookups.turnAway(id, message, unreadable.getMessage()));
    }
  }

  /// The first retry reopens the job; later messages go to the live job.
  private void answer(Job.Command command, JobState ended) {
    if (jobs.has(ended.id())) {
      deliver(new JobEnvelope(ended.id(), command));
    } else if (command instanceof Job.Do(JobCommand.Retry retry, var replyTo)
        && mayOpenAgain(ended, retry)) {
      admission.openAgain(ended, retry, replyTo);
    } else {
      EndedJobAnswers.answer(
          command, ended, environment.clock().instant(), ThreadLocalRandom.current());
    }
  }

  private static boolean mayOpenAgain(JobState ended, JobCommand.Retry retry) {
    return !(ended.phase() instanceof JobPhase.Succeeded)
        && (retry.withPlan() || !ended.spec().isStep());
  }

  private void onNotice(PartitionNotice notice) {
    switch (notice) {
      case PartitionNotice.Gone(var id, var actor) -> onGone(id, actor);
      case PartitionNotice.Disorder lost ->
          throw new IllegalStateException("a job's actor is lost");
      case PartitionNotice.Dropped(var ended) -> recent.add(ended);
      case PartitionNotice.Born(var child) -> jobs.born(child);
      case PartitionNotice.Forward(var message) -> deliver(message);
      case PartitionNotice.WorkersAtHand(int count) -> admission.workersAtHand(count);
      case PartitionNotice.Crashed(var id, var actor, var cause) ->
          revival.failed(id, actor, cause);
    }
  }

  private void onGone(JobId id, ActorRef<Job.Command> actor) {
    if (jobs.remove(id, actor)) {
      admission.release(id);
      revival.forget(id);
    }
    actor.tell(Job.Retire.INSTANCE);
  }
}
