package dev.handoff.engine;

import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobError;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobState;
import dev.handoff.ledger.Ledger;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/// Gives a job a new actor when its own has failed, from what the ledger holds once everything that
/// the old one had appended is written. Until then messages for the job wait.
final class Revival {

  private final ActorContext<Partition.Command> context;
  private final ActorRef<Ledger.Command> ledger;
  private final JobActors jobs;
  private final Admission admission;
  private final Lookups lookups;
  private final Consumer<ForJob> deliver;
  private final Crashes crashes = new Crashes();

  /// @param deliver gives a message to a job
  Revival(
      ActorContext<Partition.Command> context,
      ActorRef<Ledger.Command> ledger,
      JobActors jobs,
      Admission admission,
      Lookups lookups,
      Consumer<ForJob> deliver) {
    this.context = context;
    this.ledger = ledger;
    this.jobs = jobs;
    this.admission = admission;
    this.lookups = lookups;
    this.deliver = deliver;
  }

  /// Why a job is left without an actor; null if it is not.
  @Nullable String leftBecause(JobId job) {
    return crashes.leftBecause(job);
  }

  /// The job is over: how often its actor has failed does not matter any more.
  void forget(JobId job) {
    crashes.forget(job);
  }

  /// An actor has failed. Of one that the job has no longer nothing follows.
  void failed(JobId job, ActorRef<Job.Command> actor, String cause) {
    if (actor.equals(jobs.get(job))) {
      crashes.failed(job, cause);
      lookups.open(job);
      ask(new Partition.AskLedger(job, actor));
    }
  }

  /// Answered with [Partition.StateFound].
  void ask(Partition.AskLedger ask) {
    var sender = new Partition.ToPartition(ask, context.getSelf());
    ledger.tell(new Ledger.Append(ask.job().value(), List.of(), List.of(), List.of(), sender));
  }

  /// The ledger has answered. An actor may fail twice, and both times be asked for: the job that
  /// has another one by now keeps that.
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

  /// A child that was accepted while the actor failed has none yet.
  private ActorRef<Job.Command> revive(JobState job) {
    job.trail().children().forEach(child -> find(child.id()));
    return jobs.spawn(job.id(), new Job.Live(job));
  }

  /// Gives a job an actor that was accepted and has none, if it is live.
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

  /// It was never accepted, or has ended.
  private void onGone(JobId job) {
    jobs.remove(job);
    admission.release(job);
    crashes.forget(job);
    goOn(job);
  }

  private void goOn(JobId job) {
    lookups.close(job).forEach(command -> deliver.accept(new ForJob(job, command)));
  }
}
