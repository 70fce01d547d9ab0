package dev.handoff.internal.job;

import dev.handoff.JobId;
import dev.handoff.internal.actor.FailedActor;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/// Replies of a job with a failed actor. An offered worker is declined, so that its credit is not
/// lost.
///
/// @param waiting tells the requesters that wait for the actor
record FailedJob(
    JobId job,
    ActorRef<Job.Command> actor,
    JobEnvironment environment,
    BiConsumer<FailedJob, String> waiting)
    implements FailedActor.Words<Job.Command> {

  Behavior<Job.Command> because(
      Throwable failure, Job.@Nullable Command failedAt, ActorContext<Job.Command> context) {
    context.setLoggerName(Job.class);
    return FailedActor.because(failure, failedAt, this, context);
  }

  @Override
  public String name() {
    return "job [" + job + "]";
  }

  @Override
  public void tellPartition(String cause) {
    environment.partition().tell(new PartitionNotice.Crashed(job, actor, cause));
  }

  @Override
  public void tellDisorder() {
    environment.partition().tell(PartitionNotice.Disorder.INSTANCE);
  }

  @Override
  public void tellWaiting(String cause) {
    waiting.accept(this, cause);
  }

  @Override
  public void turnAway(Job.Command message, String cause) {
    if (message instanceof Job.Claim(var offered)) {
      environment.dispatcher().tell(new JobNotice.Declined(job, offered));
    } else {
      refusal(cause).tell(message);
    }
  }

  @Override
  public Job.Command retire() {
    return Job.Retire.INSTANCE;
  }

  JobRefusal refusal(String cause) {
    var reason = "job " + job + " failed and starts anew: " + cause;
    return JobRefusal.unavailable(job, reason, environment.settings().repeat());
  }
}
