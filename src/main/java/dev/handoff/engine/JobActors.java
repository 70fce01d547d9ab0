package dev.handoff.engine;

import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import dev.handoff.job.JobState;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/// The actors of a partition's live jobs.
final class JobActors {

  /// Names rise: Pekko keeps children in a tree, whose end stays in the processor's cache.
  /// Anonymous names, which are spread over all of it, cost a tenth of the CPU of a short job.
  private static final long FIRST_NAME = Long.parseLong("100000000", 36);

  private final ActorContext<Partition.Command> context;
  private final Behavior<Job.Command> unborn;
  private final Map<JobId, ActorRef<Job.Command>> actors = new HashMap<>();
  private long spawned;

  /// @param unborn what an actor is before it hears whose it is
  JobActors(ActorContext<Partition.Command> context, Behavior<Job.Command> unborn) {
    this.context = context;
    this.unborn = unborn;
  }

  /// Null if the job has none.
  @Nullable ActorRef<Job.Command> get(JobId job) {
    return actors.get(job);
  }

  boolean has(JobId job) {
    return actors.containsKey(job);
  }

  /// A job has a new actor from now on.
  ActorRef<Job.Command> spawn(JobId job, Job.Start start) {
    var actor = context.spawn(unborn, Long.toString(FIRST_NAME + spawned++, 36));
    actor.tell(start);
    actors.put(job, actor);
    return actor;
  }

  /// A job was accepted together with others: a child, a job of a batch, a step. It may have its
  /// actor already.
  void born(JobState child) {
    if (!has(child.id())) {
      spawn(child.id(), new Job.Live(child));
    }
  }

  void remove(JobId job) {
    actors.remove(job);
  }

  /// @return whether that was the job's actor
  boolean remove(JobId job, ActorRef<Job.Command> actor) {
    return actors.remove(job, actor);
  }
}
