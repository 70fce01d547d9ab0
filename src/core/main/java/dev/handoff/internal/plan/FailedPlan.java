package dev.handoff.internal.plan;

import dev.handoff.internal.actor.FailedActor;
import dev.handoff.plan.PlanId;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;

/// Messages that a plan's failed actor sends.
///
/// @param waiting sends a reply to all requesters waiting for the actor
record FailedPlan(
    PlanId plan,
    ActorRef<Plan.Command> actor,
    PlanEnvironment environment,
    Consumer<PlanReply.Unavailable> waiting)
    implements FailedActor.Words<Plan.Command> {

  @Override
  public String name() {
    return "plan [" + plan + "]";
  }

  @Override
  public void tellPartition(String cause) {
    environment.partition().tell(new PlanNotice.Crashed(plan, actor, cause));
  }

  @Override
  public void tellDisorder() {
    environment.partition().tell(PlanNotice.Disorder.INSTANCE);
  }

  @Override
  public void tellWaiting(String cause) {
    waiting.accept(reply(cause));
  }

  @Override
  public void turnAway(Plan.Command message, String cause) {
    if (message instanceof Plan.Asked asked) {
      asked.replyTo().tell(reply(cause));
    }
  }

  @Override
  public Plan.Command retire() {
    return Plan.Retire.INSTANCE;
  }

  private PlanReply.Unavailable reply(String cause) {
    var reason = "plan " + plan + " failed and starts anew: " + cause;
    return new PlanReply.Unavailable(plan, reason, environment.retryAfter());
  }
}
