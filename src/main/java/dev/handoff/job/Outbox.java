package dev.handoff.job;

import dev.handoff.cancel.Cancellation;
import org.apache.pekko.actor.typed.ActorRef;

/// What a job tells its dispatcher, its worker and its partition, and in which words.
final class Outbox {

  private Outbox() {}

  static void ready(JobState job, JobEnvironment environment, ActorRef<Job.Command> self) {
    if (job.phase() instanceof Phase.Pending(var due)) {
      var spec = job.spec();
      environment
          .dispatcher()
          .tell(new JobNotice.Ready(job.id(), spec.type(), spec.queue(), spec.priority(), due, self));
    }
  }

  static void taken(JobState job, Credit credit, JobEnvironment environment, ActorRef<Job.Command> self) {
    environment
        .dispatcher()
        .tell(new JobNotice.Taken(job.id(), job.attempt(), job.spec().queue(), credit, self));
  }

  static void underway(JobState job, Claimant by, JobEnvironment environment, ActorRef<Job.Command> self) {
    environment
        .dispatcher()
        .tell(new JobNotice.Underway(job.id(), job.attempt(), job.spec().queue(), by, self));
  }

  static void freed(JobState job, JobEnvironment environment) {
    environment.dispatcher().tell(new JobNotice.Freed(job.id(), job.spec().queue()));
  }

  /// The job has ended: whatever the dispatcher holds of it is free.
  static void over(JobState before, JobState job, JobEnvironment environment) {
    if (before.underway().isPresent()) {
      freed(job, environment);
    } else if (before.phase() instanceof Phase.Pending) {
      environment.dispatcher().tell(new JobNotice.Withdrawn(job.id()));
    }
    environment.partition().tell(new PartitionNotice.Gone(job.id()));
  }

  static void run(JobState job, Credit credit, ActorRef<Job.Command> self) {
    credit
        .worker()
        .tell(
            new WorkerOrder.Run(
                credit.number(), job.id(), job.attempt(), job.spec(), job.trail().checkpoint(), self));
  }

  static void stop(JobState job, Credit credit, Phase.Stopping stopping, ActorRef<Job.Command> self) {
    credit
        .worker()
        .tell(new WorkerOrder.Stop(credit.number(), job.id(), job.attempt(), why(stopping), self));
  }

  private static Cancellation why(Phase.Stopping stopping) {
    var request = stopping.request();
    if (request != null) {
      return new Cancellation(Cancellation.Cause.REQUESTED, request.reason(), request.by());
    }
    return switch (stopping.cause()) {
      case CANCEL -> new Cancellation(Cancellation.Cause.REQUESTED, "cancelled", "handoff");
      case TIMEOUT -> new Cancellation(Cancellation.Cause.TIMEOUT, "it ran longer than its timeout", "handoff");
      case HEARTBEAT -> new Cancellation(Cancellation.Cause.HEARTBEAT, "it gave no sign of life", "handoff");
    };
  }

  /// Answers a message that the job itself does not take: it is too busy, or was never accepted.
  static void turnAway(Job.Command message, JobReply reply, SubmitReply toSubmitter, JobId job, JobEnvironment environment) {
    switch (message) {
      case Job.Do(var command, var replyTo) -> replyTo.tell(reply);
      case Job.AddChild(int attempt, var spec, var replyTo) -> replyTo.tell(reply);
      case Job.Get(var replyTo) -> replyTo.tell(reply);
      case Job.Watch(var replyTo) -> replyTo.tell(reply);
      case Job.SameKey(var spec, var replyTo) -> replyTo.tell(toSubmitter);
      case Job.Claim(var credit) -> environment.dispatcher().tell(new JobNotice.Declined(job, credit));
      case Job.Internal ownBusiness -> {}
    }
  }
}
