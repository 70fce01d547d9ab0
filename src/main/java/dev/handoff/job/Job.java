package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.actor.MemoryReserve;
import dev.handoff.ledger.Ledger;
import dev.handoff.ledger.WireMessage;
import java.time.Duration;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// One live job: what it can be sent, and the three ways in which it comes to life. The actor
/// itself is [JobActor].
public final class Job {

  /// Messages accepted by a job.
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Do.class, name = "do"),
    @JsonSubTypes.Type(value = Claim.class, name = "claim"),
    @JsonSubTypes.Type(value = RunAgain.class, name = "run-again"),
    @JsonSubTypes.Type(value = Restore.class, name = "restore"),
    @JsonSubTypes.Type(value = AddChild.class, name = "add-child"),
    @JsonSubTypes.Type(value = SameKey.class, name = "same-key"),
    @JsonSubTypes.Type(value = Get.class, name = "get"),
    @JsonSubTypes.Type(value = Watch.class, name = "watch")
  })
  public sealed interface Command {}

  /// What is answered with a reply, in every state: once what follows from it is durable.
  sealed interface Asked extends Command {}

  /// What only the engine's own actors send, and nobody waits to have answered.
  sealed interface Internal extends Command {}

  /// An order, or a report of its attempt.
  public record Do(JobCommand command, ActorRef<JobReply> replyTo) implements Asked, WireMessage {
    public Do {
      if (command instanceof JobCommand.Internal) {
        throw new IllegalArgumentException(
            command.getClass().getSimpleName()
                + " is a job's own: send a Job.Claim or a Job.AddChild");
      }
    }
  }

  /// Offers an idle worker. The job's mailbox decides between this and a cancel. What is not taken
  /// is declined. Idempotent.
  public record Claim(Credit credit) implements Command, WireMessage {}

  /// No worker is at hand for a job that was about to be ready: its facts are written without a
  /// claim.
  public enum NoWorker implements Internal, NoSerializationVerificationNeeded {
    INSTANCE
  }

  /// The worker has not started the attempt of this credit: send the order again.
  public record RunAgain(long credit) implements Internal, WireMessage {}

  /// Where the worker of the attempt under way is found.
  public record Restore(Credit credit) implements Internal, WireMessage {}

  /// A job that the running attempt submits.
  public record AddChild(int attempt, JobSpec spec, ActorRef<JobReply> replyTo)
      implements Asked, WireMessage {}

  /// A submission has this job's key: is it the same?
  public record SameKey(JobSpec spec, ActorRef<SubmitReply> replyTo)
      implements Asked, WireMessage {}

  /// What is the state? Answered with [JobReply.Done] at once.
  public record Get(ActorRef<JobReply> replyTo) implements Asked, WireMessage {}

  /// Answered with [JobReply.Done] when the job has ended.
  public record Watch(ActorRef<JobReply> replyTo) implements Asked, WireMessage {}

  /// Nothing will be sent to this job any more.
  public enum Retire implements Internal, NoSerializationVerificationNeeded {
    INSTANCE
  }

  record LedgerAnswered(Ledger.Reply reply)
      implements Internal, NoSerializationVerificationNeeded {}

  /// What a job that is being stopped hears from its children and its timers.
  sealed interface StopNews extends Internal {}

  record ChildAnswered(JobReply reply) implements StopNews, NoSerializationVerificationNeeded {}

  enum StopUnanswered implements StopNews, NoSerializationVerificationNeeded {
    INSTANCE
  }

  enum ReportDue implements StopNews, NoSerializationVerificationNeeded {
    INSTANCE
  }

  /// How a job comes to life: what its actor is told first.
  public sealed interface Start extends Internal, NoSerializationVerificationNeeded {
    JobId id();
  }

  /// It is being submitted.
  ///
  /// @param held whether it waits for its plan
  /// @param atHand whether there may be a worker at hand, so that it is worth to ask
  public record Submitted(
      JobId id, JobSpec spec, boolean held, boolean atHand, ActorRef<SubmitReply> replyTo)
      implements Start {}

  /// Its first fact is durable already: after a restart, after its actor failed, or because it was
  /// accepted together with others (a child with a fact of its parent, a job of a batch, a step
  /// with its plan).
  public record Live(JobState state) implements Start {
    @Override
    public JobId id() {
      return state.id();
    }
  }

  /// A job of history is being opened again.
  public record Reopened(JobState ended, JobCommand.Retry retry, ActorRef<JobReply> replyTo)
      implements Start {
    @Override
    public JobId id() {
      return ended.id();
    }
  }

  /// An actor that becomes the job that it is told of first. There is one of these for all jobs of
  /// a partition: what an actor is made from is kept for as long as it lives, and a million of them
  /// would keep who once waited for their submission, too.
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

  /// A job that failed before it was one.
  private static Behavior<Command> stillborn(
      Throwable failure, Start start, ActorContext<Command> context, JobEnvironment environment) {
    MemoryReserve.giveBackAfter(failure);
    var words =
        new FailedJob(
            start.id(),
            context.getSelf(),
            environment,
            (failed, cause) -> refuse(start, cause, environment.settings().repeat()));
    return words.because(failure, null, context);
  }

  private static void refuse(Start start, String cause, Duration retryAfter) {
    var reason = "job " + start.id() + " failed: " + cause;
    var refusal = Refusal.unavailable(start.id(), reason, retryAfter);
    switch (start) {
      case Submitted submitted ->
          submitted.replyTo().tell(new SubmitReply.Unknown(reason, retryAfter));
      case Reopened reopened -> reopened.replyTo().tell(refusal.reply());
      case Live silent -> {}
    }
  }

  private static Behavior<Command> start(
      Start start, ActorContext<Command> context, JobEnvironment environment) {
    switch (start) {
      case Submitted(var id, var spec, boolean held, boolean atHand, var replyTo) -> {
        var submitted = new JobFact.Submitted(spec, environment.now(), held);
        var job = new JobActor(context, environment, JobState.create(id, submitted), false);
        return job.begin(() -> job.submit(submitted, atHand, replyTo));
      }
      case Live(var state) -> {
        var job = new JobActor(context, environment, state, true);
        return job.begin(job::announce);
      }
      case Reopened(var ended, var retry, var replyTo) -> {
        var job = new JobActor(context, environment, ended, false);
        return job.begin(() -> job.reopen(retry, replyTo));
      }
    }
  }

  private Job() {}
}
