package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.JobId;
import dev.handoff.internal.actor.MemoryReserve;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.ledger.WireMessage;
import java.time.Duration;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// One live job: its messages, and three ways to start its actor. The actor is [JobActor].
public final class Job {

  /// Protocol of a job.
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Do.class, name = "do"),
    @JsonSubTypes.Type(value = UpdateAttempt.class, name = "update-attempt"),
    @JsonSubTypes.Type(value = Claim.class, name = "claim"),
    @JsonSubTypes.Type(value = RunAgain.class, name = "run-again"),
    @JsonSubTypes.Type(value = Restore.class, name = "restore"),
    @JsonSubTypes.Type(value = AddChild.class, name = "add-child"),
    @JsonSubTypes.Type(value = SameKey.class, name = "same-key"),
    @JsonSubTypes.Type(value = Get.class, name = "get"),
    @JsonSubTypes.Type(value = Watch.class, name = "watch")
  })
  public sealed interface Command {}

  /// Command with a reply in every state, sent after the resulting facts are durable. Only the
  /// reply to [JobCommand.Started] does not wait for its fact.
  sealed interface Asked extends Command {}

  /// Message between the engine's own actors, without a reply.
  sealed interface Internal extends Command {}

  /// Command of a caller.
  public record Do(JobCommand.OfJob command, ActorRef<JobReply> replyTo)
      implements Asked, WireMessage {}

  /// Report of a worker or the dispatcher about an attempt.
  public record UpdateAttempt(JobCommand.OfAttempt command, ActorRef<ReportReply> replyTo)
      implements Asked, WireMessage {}

  /// Offers an idle worker. The job's mailbox orders this offer and a concurrent cancel. A credit
  /// that the job does not take is declined. Idempotent.
  public record Claim(WorkerCredit credit) implements Command, WireMessage {}

  /// No worker is at hand: the job appends its facts without a claim.
  public enum NoWorker implements Internal, NoSerializationVerificationNeeded {
    INSTANCE
  }

  /// The worker has not started this credit's attempt: the job repeats the order.
  public record RunAgain(long credit) implements Internal, WireMessage {}

  /// Tells the job the worker of its current attempt.
  public record Restore(WorkerCredit credit) implements Internal, WireMessage {}

  /// Submits a child from the running attempt.
  public record AddChild(int attempt, JobSpec spec, ActorRef<ChildReply> replyTo)
      implements Asked, WireMessage {}

  /// Compares a submission with the holder of its key.
  public record SameKey(JobSpec spec, ActorRef<SubmitReply> replyTo)
      implements Asked, WireMessage {}

  /// Queries the state. Answered at once.
  public record Get(ActorRef<StateReply> replyTo) implements Asked, WireMessage {}

  /// Waits for the job's end. Answered after the end.
  public record Watch(ActorRef<WatchReply> replyTo) implements Asked, WireMessage {}

  /// Last message to this job's actor: the actor stops.
  public enum Retire implements Internal, NoSerializationVerificationNeeded {
    INSTANCE
  }

  record LedgerAnswered(Ledger.Reply reply)
      implements Internal, NoSerializationVerificationNeeded {}

  /// Message to a stopping job, from a child or a timer.
  sealed interface StopNews extends Internal {}

  /// Reply of a child to the cancel.
  record ChildAnswered(JobReply reply) implements StopNews, NoSerializationVerificationNeeded {}

  /// Reply of a child to the watch.
  record ChildEnded(WatchReply reply) implements StopNews, NoSerializationVerificationNeeded {}

  enum StopUnanswered implements StopNews, NoSerializationVerificationNeeded {
    INSTANCE
  }

  enum ReportDue implements StopNews, NoSerializationVerificationNeeded {
    INSTANCE
  }

  /// First message to a job's actor.
  public sealed interface Start extends Internal, NoSerializationVerificationNeeded {
    JobId id();
  }

  /// Starts a new job with its submission.
  ///
  /// @param held whether the job waits for its plan
  /// @param atHand whether a worker may be at hand, so that the job asks the dispatcher for one
  public record StartNew(
      JobId id, JobSpec spec, boolean held, boolean atHand, ActorRef<SubmitReply> replyTo)
      implements Start {}

  /// Starts a job whose first fact is durable already: after a restart, after an actor failure, or
  /// after a shared append (a child with its parent's fact, a job of a batch, a step with its
  /// plan).
  public record StartLive(JobState state) implements Start {
    @Override
    public JobId id() {
      return state.id();
    }
  }

  /// Reopens a job of history.
  public record StartReopened(JobState ended, JobCommand.Retry retry, ActorRef<JobReply> replyTo)
      implements Start {
    @Override
    public JobId id() {
      return ended.id();
    }
  }

  /// Actor that becomes the job of its first message. All jobs of a partition share this behavior:
  /// an actor retains its initial behavior for life, and a million separate behaviors would also
  /// retain the requesters of their submissions.
  public static Behavior<Command> unborn(JobEnvironment environment) {
    return Behaviors.receive(
        (context, message) ->
            message instanceof Start start
                ? startOrFail(start, context, environment)
                : Behaviors.unhandled());
  }

  private static Behavior<Command> startOrFail(
      Start start, ActorContext<Command> context, JobEnvironment environment) {
    try {
      return start(start, context, environment);
    } catch (Throwable failure) {
      return stillborn(failure, start, context, environment);
    }
  }

  /// Job whose actor failed before the job existed.
  private static Behavior<Command> stillborn(
      Throwable failure, Start start, ActorContext<Command> context, JobEnvironment environment) {
    MemoryReserve.giveBackAfter(failure);
    var failedJob =
        new FailedJob(
            start.id(),
            context.getSelf(),
            environment,
            (failed, cause) -> refuse(start, cause, environment.settings().repeat()));
    return failedJob.because(failure, null, context);
  }

  private static void refuse(Start start, String cause, Duration retryAfter) {
    var reason = "job " + start.id() + " failed: " + cause;
    var refusal = JobRefusal.unavailable(start.id(), reason, retryAfter);
    switch (start) {
      case StartNew submitted ->
          submitted.replyTo().tell(new SubmitReply.Unknown(reason, retryAfter));
      case StartReopened reopened -> reopened.replyTo().tell(refusal.toCaller());
      case StartLive silent -> {}
    }
  }

  private static Behavior<Command> start(
      Start start, ActorContext<Command> context, JobEnvironment environment) {
    switch (start) {
      case StartNew(var id, var spec, boolean held, boolean atHand, var replyTo) -> {
        var submitted = new JobFact.Submitted(spec, environment.now(), held);
        var job = new JobActor(context, environment, JobState.create(id, submitted), false);
        return job.begin(() -> job.submit(submitted, atHand, replyTo));
      }
      case StartLive(var state) -> {
        var job = new JobActor(context, environment, state, true);
        return job.begin(job::announce);
      }
      case StartReopened(var ended, var retry, var replyTo) -> {
        var job = new JobActor(context, environment, ended, false);
        return job.begin(() -> job.reopen(retry, replyTo));
      }
    }
  }

  private Job() {}
}
