package dev.handoff.job;

import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// The actor of a job that failed before it was one: tells its partition, and turns away whoever
/// comes.
final class StillbornJob {

  /// How long it stays, for what was sent to it before its successor was known.
  private static final Duration STAY = Duration.ofMinutes(1);

  private StillbornJob() {}

  static Behavior<Job.Command> because(
      Throwable failure,
      Job.Start start,
      ActorContext<Job.Command> context,
      JobEnvironment environment) {
    var id = id(start);
    context.getLog().error("job [{}] failed", id, failure);
    var crashed = new PartitionNotice.Crashed(id, context.getSelf(), String.valueOf(failure));
    environment.partition().tell(crashed);
    var reason = "job " + id + " failed: " + failure;
    var refusal = Refusal.unavailable(id, reason, environment.settings().repeat());
    switch (start) {
      case Job.Submitted submitted ->
          submitted
              .replyTo()
              .tell(new SubmitReply.Unavailable(reason, environment.settings().repeat()));
      case Job.Reopened reopened -> refusal.tell(new Job.Do(reopened.retry(), reopened.replyTo()));
      case Job.Live silent -> {}
    }
    context.scheduleOnce(STAY, context.getSelf(), Job.Retire.INSTANCE);
    return Behaviors.receiveMessage(
        message -> {
          refusal.tell(message);
          return message == Job.Retire.INSTANCE ? Behaviors.stopped() : Behaviors.same();
        });
  }

  private static JobId id(Job.Start start) {
    return switch (start) {
      case Job.Submitted submitted -> submitted.id();
      case Job.Live(var state) -> state.id();
      case Job.Reopened(var ended, var retry, var replyTo) -> ended.id();
    };
  }
}
