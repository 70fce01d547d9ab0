package dev.handoff.internal.engine;

import dev.handoff.JobId;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobState;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/// Actors of a partition's live jobs.
final class JobActors {

  /// Names rise: Pekko keeps children in a tree, whose end stays in the CPU cache. Anonymous names
  /// are spread over the whole tree and cost a tenth of the CPU time of a short job.
  private static final long FIRST_NAME = Long.parseLong("100000000", 36);

  private final ActorContext<Partition.Command> context;
  private final Behavior<Job.Command> unborn;
  private final Map<JobId, ActorRef<Job.Command>> actors = new HashMap<>();
  private long spawned;

  /// @param unborn behavior of an actor before its first message
  JobActors(ActorContext<Partition.Command> context, Behavior<Job.Command> unborn) {
    this.context = context;
    this.unborn = unborn;
  }

  /// Actor of a job; null if none.
  @Nullable ActorRef<Job.Command> get(JobId job) {
    return actors.get(job);
  }

  boolean has(JobId job) {
    return actors.containsKey(job);
  }

  /// Creates the actor of a job.
  ActorRef<Job.Command> spawn(JobId job, Job.Start start) {
    var actor = context.spawn(unborn, Long.toString(FIRST_NAME + spawned++, 36));
    actor.tell(start);
    actors.put(job, actor);
    return actor;
  }

  /// Creates the actor of a job accepted with others (a child, a job of a batch, a step), unless
  /// the job already has one.
  void born(JobState child) {
    if (!has(child.id())) {
      spawn(child.id(), new Job.StartLive(child));
    }
  }

  void remove(JobId job) {
    actors.remove(job);
  }

  /// @return whether the actor was the job's current one
  boolean remove(JobId job, ActorRef<Job.Command> actor) {
    return actors.remove(job, actor);
  }
}
