package dev.handoff.job;

import dev.handoff.actor.MemoryReserve;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// A submission that was not accepted, or an ended job that was not opened again: answers whatever
/// was on its way to the job, until the partition retires it.
final class Departed extends AbstractMatchingBehavior<Job.Command> {

  private final JobState state;
  private final JobEnvironment environment;

  Departed(ActorContext<Job.Command> context, JobState state, JobEnvironment environment) {
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

  /// The partition knows already that there is nobody here.
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

  private Behavior<Job.Command> decline(Credit offered) {
    Outbox.declined(state, offered, environment);
    return this;
  }

  /// The key is free again: the same submission may be accepted now.
  private Behavior<Job.Command> answerKey(ActorRef<SubmitReply> replyTo) {
    var reason = "the job with this key was not accepted";
    replyTo.tell(new SubmitReply.Unavailable(reason, environment.settings().repeat()));
    return this;
  }

  /// The partition has heard by then that this one is gone, and opens the job with a new one.
  private Behavior<Job.Command> passOn(Job.Command retry) {
    environment.partition().tell(new PartitionNotice.Forward(new ForJob(state.id(), retry)));
    return this;
  }

  private Behavior<Job.Command> answer(Job.Command message) {
    if (state.ended()) {
      Archived.answer(message, state, environment.now(), ThreadLocalRandom.current());
    } else {
      Refusal.notFound(state.id()).tell(message);
    }
    return this;
  }
}
