package dev.handoff.job;

import dev.handoff.cancel.Cancellation;
import java.time.Duration;
import java.time.Instant;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// What a job tells its dispatcher, its worker and its partition, and in which words.
final class Outbox {

  private Outbox() {}

  static void ready(JobState job, JobEnvironment environment, ActorRef<Job.Command> self) {
    if (job.phase() instanceof Phase.Pending(var due)) {
      var now = environment.now();
      ready(job, due.isAfter(now) && job.isDue(now) ? now : due, environment, self);
    }
  }

  /// The job is ready as soon as what is about to be written is durable.
  static void aboutToBeReady(JobState job, JobEnvironment environment, ActorRef<Job.Command> self) {
    var ready = readyAt(environment.now(), job, self);
    environment.dispatcher().tell(new JobNotice.AboutToBeReady(ready));
  }

  /// The job wants a worker, but not at once: its claim could not be written.
  static void readyAfter(
      Duration delay, JobState job, JobEnvironment environment, ActorRef<Job.Command> self) {
    if (job.phase() instanceof Phase.Pending) {
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

  /// Where a job stands that has just got its actor.
  static void standing(JobState job, JobEnvironment environment, ActorRef<Job.Command> self) {
    ready(job, environment, self);
    job.underway().ifPresent(run -> underway(job, run.by(), environment, self));
  }

  static void taken(
      JobState job, Credit credit, JobEnvironment environment, ActorRef<Job.Command> self) {
    environment
        .dispatcher()
        .tell(new JobNotice.Taken(job.id(), job.attempt(), job.spec().queue(), credit, self));
  }

  private static void underway(
      JobState job, Claimant by, JobEnvironment environment, ActorRef<Job.Command> self) {
    environment
        .dispatcher()
        .tell(new JobNotice.Underway(job.id(), job.attempt(), job.spec().queue(), by, self));
  }

  static void freed(JobState job, JobEnvironment environment) {
    environment.dispatcher().tell(new JobNotice.Freed(job.id(), job.attempt(), job.spec().queue()));
  }

  /// The worker that was offered is free.
  static void declined(JobState job, Credit offered, JobEnvironment environment) {
    environment.dispatcher().tell(new JobNotice.Declined(job.id(), offered));
  }

  /// A job that was waiting for a worker does not want one any more.
  static void withdrawn(JobState before, JobEnvironment environment, ActorRef<Job.Command> self) {
    if (before.phase() instanceof Phase.Pending) {
      environment.dispatcher().tell(new JobNotice.Withdrawn(before.id(), self));
    }
  }

  /// The job has ended: whatever the dispatcher holds of it is free.
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

  static void run(JobState job, Credit credit, ActorRef<Job.Command> self) {
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

  /// Tells the worker to stop, if something runs and it is known where.
  ///
  /// @param elapsed how long ago that was decided
  static void stop(
      JobState job, @Nullable Credit credit, Duration elapsed, ActorRef<Job.Command> self) {
    if (credit != null
        && job.phase() instanceof Phase.Stopping stopping
        && stopping.attempt() != null) {
      var stop =
          new WorkerOrder.Stop(
              credit.number(), job.id(), job.attempt(), why(stopping), elapsed, self);
      credit.worker().tell(stop);
    }
  }

  private static Cancellation why(Phase.Stopping stopping) {
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
