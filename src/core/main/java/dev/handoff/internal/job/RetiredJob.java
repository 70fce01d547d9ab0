package dev.handoff.internal.job;

import dev.handoff.internal.actor.MemoryReserve;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// Job that was not accepted, or ended job that was not reopened: answers late messages until the
/// partition retires its actor.
final class RetiredJob extends AbstractMatchingBehavior<Job.Command> {

  private final JobState state;
  private final JobEnvironment environment;

  RetiredJob(ActorContext<Job.Command> context, JobState state, JobEnvironment environment) {
    super(context);
    this.state = state;
    this.environment = environment;
  }

  @Override
  public Behavior<Job.Command> onMessage(Job.Command message) {
    try {
      return handle(message);
    } catch (Throwable failure) {
      MemoryReserve.giveBackAfter(failure);
      return words().because(failure, message, getContext());
    }
  }

  /// The partition was told already that this job is gone, and no requester waits here.
  private FailedJob words() {
    return new FailedJob(state.id(), getContext().getSelf(), environment, (failed, cause) -> {});
  }

  private Behavior<Job.Command> handle(Job.Command message) {
    return switch (message) {
      case Job.Retire now -> Behaviors.stopped();
      case Job.Claim(var offered) -> decline(offered);
      case Job.SameKey(var spec, var replyTo) -> answerKey(replyTo);
      case Job.Do(JobCommand.Retry again, var replyTo) when state.ended() -> passOn(message);
      case Job.Command other -> answer(other);
    };
  }

  @Override
  public Behavior<Job.Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  private Behavior<Job.Command> decline(WorkerCredit offered) {
    JobMessages.declined(state, offered, environment);
    return this;
  }

  /// The key is free again: a second submission may succeed.
  private Behavior<Job.Command> answerKey(ActorRef<SubmitReply> replyTo) {
    var reason = "the job with this key was not accepted";
    replyTo.tell(new SubmitReply.Unavailable(reason, environment.settings().repeat()));
    return this;
  }

  /// The partition receives this retry after `Gone`, and reopens the job with a new actor.
  private Behavior<Job.Command> passOn(Job.Command retry) {
    environment.partition().tell(new PartitionNotice.Forward(new JobEnvelope(state.id(), retry)));
    return this;
  }

  private Behavior<Job.Command> answer(Job.Command message) {
    if (state.ended()) {
      EndedJobAnswers.answer(message, state, environment.now(), ThreadLocalRandom.current());
    } else {
      JobRefusal.notFound(state.id()).tell(message);
    }
    return this;
  }
}
