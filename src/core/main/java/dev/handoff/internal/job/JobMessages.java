package dev.handoff.internal.job;

import dev.handoff.cancel.Cancellation;
import java.time.Duration;
import java.time.Instant;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Messages from a job to dispatcher, worker and partition.
final class JobMessages {

  private JobMessages() {}

  static void ready(JobState job, JobEnvironment environment, ActorRef<Job.Command> self) {
    if (job.phase() instanceof JobPhase.Pending(var due)) {
      var now = environment.now();
      ready(job, due.isAfter(now) && job.isDue(now) ? now : due, environment, self);
    }
  }

  /// Announces a job whose next append makes it ready.
  static void aboutToBeReady(JobState job, JobEnvironment environment, ActorRef<Job.Command> self) {
    var ready = readyAt(environment.now(), job, self);
    environment.dispatcher().tell(new JobNotice.AboutToBeReady(ready));
  }

  /// Announces a job as ready after a delay, because its claim could not be written.
  static void readyAfter(
      Duration delay, JobState job, JobEnvironment environment, ActorRef<Job.Command> self) {
    if (job.phase() instanceof JobPhase.Pending) {
      ready(job, environment.now().plus(delay), environment, self);
    }
  }

  private static void ready(
      JobState job, Instant due, JobEnvironment environment, ActorRef<Job.Command> self) {
    environment.dispatcher().tell(readyAt(due, job, self));
  }

  private static JobNotice.Ready readyAt(Instant due, JobState job, ActorRef<Job.Command> self) {
    var spec = job.spec();
    return new JobNotice.Ready(job.id(), spec.type(), spec.queue(), spec.priority(), due, self);
  }

  /// Announces the state of a job with a new actor.
  static void standing(JobState job, JobEnvironment environment, ActorRef<Job.Command> self) {
    ready(job, environment, self);
    job.underway().ifPresent(run -> underway(job, run.by(), environment, self));
  }

  static void taken(
      JobState job, WorkerCredit credit, JobEnvironment environment, ActorRef<Job.Command> self) {
    environment
        .dispatcher()
        .tell(new JobNotice.Taken(job.id(), job.attempt(), job.spec().queue(), credit, self));
  }

  private static void underway(
      JobState job, ClaimingWorker by, JobEnvironment environment, ActorRef<Job.Command> self) {
    environment
        .dispatcher()
        .tell(new JobNotice.Underway(job.id(), job.attempt(), job.spec().queue(), by, self));
  }

  static void freed(JobState job, JobEnvironment environment) {
    environment.dispatcher().tell(new JobNotice.Freed(job.id(), job.attempt(), job.spec().queue()));
  }

  /// Returns the offered credit to the dispatcher.
  static void declined(JobState job, WorkerCredit offered, JobEnvironment environment) {
    environment.dispatcher().tell(new JobNotice.Declined(job.id(), offered));
  }

  /// Withdraws a job that needs no worker any more.
  static void withdrawn(JobState before, JobEnvironment environment, ActorRef<Job.Command> self) {
    if (before.phase() instanceof JobPhase.Pending) {
      environment.dispatcher().tell(new JobNotice.Withdrawn(before.id(), self));
    }
  }

  /// Announces the job's end: the dispatcher frees slot and offer.
  static void over(
      JobState before, JobState job, JobEnvironment environment, ActorRef<Job.Command> self) {
    if (before.underway().isPresent()) {
      freed(job, environment);
    }
    withdrawn(before, environment, self);
    if (environment.history().drops(job)) {
      environment.partition().tell(new PartitionNotice.Dropped(job));
    }
    environment.partition().tell(new PartitionNotice.Gone(job.id(), self));
  }

  static void run(JobState job, WorkerCredit credit, ActorRef<Job.Command> self) {
    credit
        .worker()
        .tell(
            new WorkerOrder.Run(
                credit.number(),
                job.id(),
                job.attempt(),
                job.spec(),
                job.trail().checkpoint(),
                self));
  }

  /// Sends a stop to the running attempt's worker, if known.
  ///
  /// @param elapsed time since the stop was decided
  static void stop(
      JobState job, @Nullable WorkerCredit credit, Duration elapsed, ActorRef<Job.Command> self) {
    if (credit != null
        && job.phase() instanceof JobPhase.Stopping stopping
        && stopping.attempt() != null) {
      var stop =
          new WorkerOrder.Stop(
              credit.number(), job.id(), job.attempt(), why(stopping), elapsed, self);
      credit.worker().tell(stop);
    }
  }

  private static Cancellation why(JobPhase.Stopping stopping) {
    var request = stopping.request();
    if (request != null) {
      return new Cancellation(Cancellation.Cause.REQUESTED, request.reason(), request.by());
    }
    return switch (stopping.cause()) {
      case CANCEL -> new Cancellation(Cancellation.Cause.REQUESTED, "cancelled", "handoff");
      case TIMEOUT ->
          new Cancellation(Cancellation.Cause.TIMEOUT, "it ran longer than its timeout", "handoff");
      case HEARTBEAT ->
          new Cancellation(Cancellation.Cause.HEARTBEAT, "it gave no sign of life", "handoff");
    };
  }
}
