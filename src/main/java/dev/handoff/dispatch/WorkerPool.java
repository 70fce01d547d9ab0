package dev.handoff.dispatch;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.job.JobId;
import dev.handoff.job.PoolId;
import dev.handoff.ledger.WireMessage;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/// The workers of one node: what their pool can be sent, and how it is made. The actor itself is
/// [WorkerPoolActor].
public final class WorkerPool {

  /// Messages accepted by a pool.
  public sealed interface Command {}

  /// A dispatcher knows this pool. A new epoch means that it has forgotten everything.
  public record Registered(int partition, long epoch, ActorRef<Dispatcher.Command> dispatcher)
      implements Command, WireMessage {}

  /// How many workers a dispatcher wants: levels, the latest counts.
  ///
  /// @param seen the last credit that has arrived there
  /// @param workers for jobs that are ready
  /// @param spare how many more it would keep at hand, while no job is ready
  /// @param idle how many it has at hand
  public record Want(int partition, long epoch, long seen, int workers, int spare, int idle)
      implements Command, WireMessage {}

  /// A credit that the dispatcher has no use for, or does not know. It is closed; an attempt that
  /// runs on it is not the job's current one any more.
  public record GiveBack(long credit) implements Command, WireMessage {}

  /// A beat was received.
  ///
  /// @param sentAt as the beat said
  public record BeatAnswered(int partition, long epoch, long sentAt)
      implements Command, WireMessage {}

  /// The attempt on this credit, which waited for a child, may run again as far as its queue is
  /// concerned.
  ///
  /// @param round which of its waits is over
  public record MayGoOn(long credit, int round) implements Command, WireMessage {}

  /// Take no new work; end when all attempts have ended, after the grace at the latest with a
  /// cancel. Answered with [Stopped]. Idempotent.
  public record Shutdown(ActorRef<Stopped> replyTo)
      implements Command, NoSerializationVerificationNeeded {}

  /// The engine is down: whatever runs is stopped at once, and nobody waits for its end.
  public enum Revoke implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  /// No attempt runs any more, but for the abandoned ones.
  public record Stopped(int abandoned) implements NoSerializationVerificationNeeded {}

  /// Where a dispatcher is; the pool registers with it.
  public record Meet(int partition, ActorRef<Dispatcher.Command> dispatcher)
      implements Command, NoSerializationVerificationNeeded {}

  public record GetLoad(ActorRef<Load> replyTo) implements Command, WireMessage {}

  /// @param busy workers with a place: an attempt runs, or is about to
  /// @param parked attempts that wait for a child
  /// @param abandoned attempts that were given up and still run; counted as busy, too
  /// @param heldUp attempts whose handler's thread waits for a processor; counted as busy, too
  public record Load(PoolId pool, int workers, int busy, int parked, int abandoned, int heldUp)
      implements WireMessage {

    /// What this pool and another one of the same node have together.
    public Load plus(Load other) {
      return new Load(
          pool,
          workers + other.workers,
          busy + other.busy,
          parked + other.parked,
          abandoned + other.abandoned,
          heldUp + other.heldUp);
    }
  }

  /// What a worker tells its pool of the credit that it has, or had last: about any other one it is
  /// late.
  sealed interface FromWorker extends Command, NoSerializationVerificationNeeded {
    String name();

    long credit();
  }

  /// Its credit is closed, and nothing runs.
  record Idle(String name, long credit) implements FromWorker {}

  /// The thread of its handler waits for a processor. Repeated with each heartbeat.
  record HeldUp(String name, long credit) implements FromWorker {}

  /// The handler that was held up runs.
  record Began(String name, long credit) implements FromWorker {}

  /// Its handler has ended, or will not be called; what it reports is not recorded yet.
  record Ended(String name, long credit) implements FromWorker {}

  /// Its attempt waits for a child.
  record Parked(String name, long credit, JobId job, int round) implements FromWorker {}

  /// The attempt that waited wants to go on. Answered with [Worker.GoOn] when there is room.
  record WantsToGoOn(String name, long credit, int round) implements FromWorker {}

  /// Its attempt has been given up, and its code still runs.
  record Abandoned(String name, long credit) implements FromWorker {}

  enum Alarm implements Command, NoSerializationVerificationNeeded {
    TICK,
    GRACE_OVER
  }

  /// @param remote whether dispatchers time this pool by its heartbeats instead of watching it
  public static Behavior<Command> create(
      PoolId id, boolean remote, Worker.Environment environment) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(WorkerPool.class);
          return Behaviors.withTimers(
              timers -> new WorkerPoolActor(context, timers, id, remote, environment));
        });
  }

  private WorkerPool() {}
}
