package dev.handoff.plan;

import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// The actor of a plan that failed before it was one: tells its partition, and turns away whoever
/// comes.
final class StillbornPlan {

  /// How long it stays, for what was sent to it before its successor was known.
  private static final Duration STAY = Duration.ofMinutes(1);

  private StillbornPlan() {}

  static Behavior<Plan.Command> because(
      Throwable failure,
      PlanId id,
      ActorContext<Plan.Command> context,
      PlanEnvironment environment) {
    context.getLog().error("plan [{}] failed", id, failure);
    var crashed = new PlanNotice.Crashed(id, context.getSelf(), String.valueOf(failure));
    environment.partition().tell(crashed);
    var reason = "plan " + id + " failed and starts anew: " + failure;
    var reply = new PlanReply.Unavailable(id, reason, environment.retryAfter());
    context.scheduleOnce(STAY, context.getSelf(), Plan.Retire.INSTANCE);
    return Behaviors.receiveMessage(
        message -> {
          if (message instanceof Plan.Asked asked) {
            asked.replyTo().tell(reply);
          }
          return message == Plan.Retire.INSTANCE ? Behaviors.stopped() : Behaviors.same();
        });
  }
}
