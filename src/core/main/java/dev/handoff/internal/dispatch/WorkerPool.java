package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.ledger.WireMessage;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;

/// Worker pool of one node: messages. Dispatchers and workers send them; the actor is
/// [dev.handoff.internal.dispatch.pool.WorkerPoolActor].
public final class WorkerPool {

  /// Protocol of a pool.
  public sealed interface Command {}

  /// Confirms the registration at a dispatcher. A new epoch means that the dispatcher has forgotten
  /// everything.
  public record Registered(int partition, long epoch, ActorRef<Dispatcher.Command> dispatcher)
      implements Command, WireMessage {}

  /// Demand of a dispatcher for workers, as levels: the latest counts.
  ///
  /// @param seen last credit that has arrived at the dispatcher
  /// @param workers workers for ready jobs
  /// @param spare further workers to keep at hand while no job is ready
  /// @param idle workers at hand without a job
  public record Want(int partition, long epoch, long seen, int workers, int spare, int idle)
      implements Command, WireMessage {}

  /// Returns a credit that the dispatcher cannot use or does not know. The credit is closed; an
  /// attempt running on it is no longer its job's current one.
  public record GiveBack(long credit) implements Command, WireMessage {}

  /// Confirms a heartbeat.
  ///
  /// @param sentAt send time from the heartbeat
  public record BeatAnswered(int partition, long epoch, long sentAt)
      implements Command, WireMessage {}

  /// Allows this credit's attempt to resume after its wait for a child: a queue slot is granted, or
  /// not needed.
  ///
  /// @param round number of the wait that is over
  public record MayGoOn(long credit, int round) implements Command, WireMessage {}

  /// Shuts the pool down: no new work; the pool ends with its last attempt. After the grace the
  /// attempts are cancelled. Answered with [Stopped]. Idempotent.
  public record Shutdown(ActorRef<Stopped> replyTo)
      implements Command, NoSerializationVerificationNeeded {}

  /// Stops all attempts immediately, without waiting: the engine is down.
  public enum Revoke implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  /// No attempt runs any more, except abandoned ones.
  public record Stopped(int abandoned) implements NoSerializationVerificationNeeded {}

  /// Address of a dispatcher; the pool registers there.
  public record Meet(int partition, ActorRef<Dispatcher.Command> dispatcher)
      implements Command, NoSerializationVerificationNeeded {}

  public record GetLoad(ActorRef<Load> replyTo) implements Command, WireMessage {}

  /// @param busy workers with a place: an attempt runs, or is about to
  /// @param parked attempts that wait for a child
  /// @param abandoned attempts that were abandoned and still run; also counted as busy
  /// @param heldUp attempts whose handler's thread waits for a CPU; also counted as busy
  public record Load(PoolId pool, int workers, int busy, int parked, int abandoned, int heldUp)
      implements WireMessage {

    /// Sum of two pools' loads on the same node.
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

  /// Report of a worker about its current or last credit; reports about other credits are ignored
  /// as late.
  public sealed interface FromWorker extends Command, NoSerializationVerificationNeeded {
    String name();

    long credit();
  }

  /// The credit is closed, and no attempt runs.
  public record Idle(String name, long credit) implements FromWorker {}

  /// The handler's thread waits for a CPU. Repeated with each heartbeat.
  public record HeldUp(String name, long credit) implements FromWorker {}

  /// The held-up handler runs.
  public record Began(String name, long credit) implements FromWorker {}

  /// The handler ended, or is called off; its report is not recorded yet.
  public record Ended(String name, long credit) implements FromWorker {}

  /// The attempt waits for a child.
  public record Parked(String name, long credit, JobId job, int round) implements FromWorker {}

  /// The attempt asks to resume after its wait. Answered with
  /// [dev.handoff.internal.dispatch.worker.Worker.GoOn] when a place is free.
  public record WantsToGoOn(String name, long credit, int round) implements FromWorker {}

  /// The attempt was abandoned, but its code still runs.
  public record Abandoned(String name, long credit) implements FromWorker {}

  public enum Alarm implements Command, NoSerializationVerificationNeeded {
    TICK,
    GRACE_OVER
  }

  private WorkerPool() {}
}
