package dev.handoff.engine;

import dev.handoff.job.Archive;
import dev.handoff.job.Archived;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobEnvironment;
import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice;
import dev.handoff.job.JobState;
import dev.handoff.job.PartitionNotice;
import dev.handoff.job.Phase;
import dev.handoff.ledger.Ledger;
import dev.handoff.store.HistoryRow;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/// The jobs of a partition: gives each message to the job's actor, answers for jobs that have none
/// any more, and sees that a key has one holder.
///
/// A job without an actor is looked up once, whoever asks for it meanwhile waits: so what is said
/// of it, and done with it, never rests on a row that has been overtaken.
final class JobDesk {

  private final PartitionEnvironment environment;
  private final JobActors jobs;
  private final Lookups lookups;
  private final Admission admission;
  private final BatchWriter batches;
  private final Revival revival;
  private final RecentEnds recent = new RecentEnds();

  /// @param dispatcher at which jobs wait
  /// @param notices where jobs tell their partition something
  JobDesk(
      ActorContext<Partition.Command> context,
      PartitionEnvironment environment,
      ActorRef<Ledger.Command> ledger,
      ActorRef<JobNotice> dispatcher,
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
    lookups = new Lookups(context, environment, new Silence(ledger));
    var keys = new Keys(environment.ledger().settings().backlog());
    var unborn = new UnbornJobs(keys, lookups, jobs, this::deliver);
    batches = new BatchWriter(context, environment, ledger, unborn);
    admission = new Admission(environment, lookups, jobs, this::deliver, keys, batches);
    revival = new Revival(context, ledger, jobs, admission, lookups, this::deliver);
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

  /// A job that was live when the partition was read back.
  void restore(JobState job) {
    admission.hold(job.spec().uniqueKey(), job.id());
    jobs.spawn(job.id(), new Job.Live(job));
  }

  /// A job was accepted together with something else: it needs an actor.
  void born(JobState job) {
    jobs.born(job);
  }

  /// A job was accepted, and nobody knows whether it has an actor.
  void find(JobId job) {
    revival.find(job);
  }

  void turnAway(JobId job, Job.Command message, String reason) {
    lookups.turnAway(job, message, reason);
  }

  void deliver(ForJob message) {
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

  /// A job without a row of history is not opened again: somebody else may have its key by now.
  private void answerDropped(Job.Command command, JobState ended) {
    if (command instanceof Job.Do(JobCommand.Retry retry, var replyTo)) {
      Archived.notFound(command, ended.id());
    } else {
      answer(command, ended);
    }
  }

  private void onRow(JobId id, @Nullable Optional<HistoryRow> row, @Nullable Throwable failure) {
    var messages = lookups.close(id);
    try {
      if (jobs.has(id)) {
        messages.forEach(message -> deliver(new ForJob(id, message)));
      } else if (failure != null) {
        var reason = lookups.unanswered(failure);
        messages.forEach(message -> lookups.turnAway(id, message, reason));
      } else if (row.filter(found -> found.kind().equals(Archive.KIND)).isEmpty()) {
        messages.forEach(message -> Archived.notFound(message, id));
      } else {
        var ended = lookups.read(row.get());
        messages.forEach(message -> answer(message, ended));
      }
    } catch (IOException unreadable) {
      messages.forEach(message -> lookups.turnAway(id, message, unreadable.getMessage()));
    }
  }

  /// The first retry opens the job again; what has waited behind it is for the live job.
  private void answer(Job.Command command, JobState ended) {
    if (jobs.has(ended.id())) {
      deliver(new ForJob(ended.id(), command));
    } else if (command instanceof Job.Do(JobCommand.Retry retry, var replyTo)
        && mayOpenAgain(ended, retry)) {
      admission.openAgain(ended, retry, replyTo);
    } else {
      Archived.answer(command, ended, environment.clock().instant(), ThreadLocalRandom.current());
    }
  }

  private static boolean mayOpenAgain(JobState ended, JobCommand.Retry retry) {
    return !(ended.phase() instanceof Phase.Succeeded)
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
