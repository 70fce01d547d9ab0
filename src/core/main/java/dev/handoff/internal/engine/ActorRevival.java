package dev.handoff.internal.engine;

import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.ledger.Ledger;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/// Replacement of failed job actors. The successor starts from the ledger's state after all appends
/// of its predecessor are resolved. Until then messages for the job wait.
final class ActorRevival {

  private final ActorContext<Partition.Command> context;
  private final ActorRef<Ledger.Command> ledger;
  private final JobActors jobs;
  private final JobAdmission admission;
  private final HistoryLookups lookups;
  private final Consumer<JobEnvelope> deliver;
  private final CrashCounter crashes = new CrashCounter();

  /// @param deliver sends a message to a job
  ActorRevival(
      ActorContext<Partition.Command> context,
      ActorRef<Ledger.Command> ledger,
      JobActors jobs,
      JobAdmission admission,
      HistoryLookups lookups,
      Consumer<JobEnvelope> deliver) {
    this.context = context;
    this.ledger = ledger;
    this.jobs = jobs;
    this.admission = admission;
    this.lookups = lookups;
    this.deliver = deliver;
  }

  /// Reason to leave a job without an actor; null if there is none.
  @Nullable String leftBecause(JobId job) {
    return crashes.leftBecause(job);
  }

  /// Drops the failure count of an ended job.
  void forget(JobId job) {
    crashes.forget(job);
  }

  /// Handles a failed actor. Ignores an actor that is not the job's current one.
  void failed(JobId job, ActorRef<Job.Command> actor, String cause) {
    if (actor.equals(jobs.get(job))) {
      crashes.failed(job, cause);
      lookups.open(job);
      ask(new Partition.AskLedger(job, actor));
    }
  }

  /// Asks for the job's state. Answered with [Partition.StateFound].
  void ask(Partition.AskLedger ask) {
    var sender = new Partition.ToPartition(ask, context.getSelf());
    ledger.tell(new Ledger.Append(ask.job().value(), List.of(), List.of(), List.of(), sender));
  }

  /// Handles the ledger's answer. An actor may be reported as failed twice: a job that already has
  /// a new actor keeps it.
  void found(Partition.AskLedger asked, Ledger.Reply reply) {
    var id = asked.job();
    switch (reply) {
      case Ledger.Reply late when !Objects.equals(asked.failed(), jobs.get(id)) -> goOn(id);
      case Ledger.Committed(JobState job, var others) when asked.failed() != null -> onAlive(job);
      case Ledger.Committed(JobState job, var others) -> onFound(job);
      case Ledger.Committed over -> onGone(id);
      case Ledger.Unavailable(var reason, var retryAfter) ->
          context.scheduleOnce(retryAfter, context.getSelf(), asked);
      case Ledger.Refused never -> {}
    }
  }

  private void onAlive(JobState job) {
    switch (crashes.judge(job)) {
      case AGAIN -> revive(job);
      case GIVE_UP -> giveUp(revive(job), JobError.of("actor-failed", crashes.reason(job.id())));
      case LEAVE -> context.getLog().error(crashes.leftBecause(job.id()));
    }
    goOn(job.id());
  }

  /// Replaces the actor, and creates actors of children accepted during the failure.
  private ActorRef<Job.Command> revive(JobState job) {
    job.trail().children().forEach(child -> find(child.id()));
    return jobs.spawn(job.id(), new Job.StartLive(job));
  }

  /// Creates the actor of an accepted live job, unless present.
  void find(JobId job) {
    if (!jobs.has(job)) {
      lookups.open(job);
      ask(new Partition.AskLedger(job, null));
    }
  }

  private void giveUp(ActorRef<Job.Command> job, JobError error) {
    var ignored = context.getSystem().<JobReply>ignoreRef();
    job.tell(new Job.Do(new JobCommand.GiveUp(error), ignored));
  }

  private void onFound(JobState job) {
    jobs.born(job);
    goOn(job.id());
  }

  /// Removes a job that ended or was never accepted.
  private void onGone(JobId job) {
    jobs.remove(job);
    admission.release(job);
    crashes.forget(job);
    goOn(job);
  }

  private void goOn(JobId job) {
    lookups.close(job).forEach(command -> deliver.accept(new JobEnvelope(job, command)));
  }
}
