package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.internal.ledger.WireMessage;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/// Message from worker pool to dispatcher.
public sealed interface PoolMessage extends Dispatcher.Command, WireMessage {

  /// Registers a pool. Idempotent; repeated with each heartbeat.
  ///
  /// @param lends number of idle workers that the pool lends to a dispatcher without a job for them
  /// @param remote whether heartbeats decide that the pool is alive; otherwise the actor is watched
  record Register(
      PoolId pool,
      Set<String> types,
      int workers,
      int lends,
      boolean remote,
      ActorRef<WorkerPool.Command> ref)
      implements PoolMessage {
    public Register {
      types = Set.copyOf(types);
    }
  }

  /// Announces the pool's end: no new work, running attempts continue. Repeated with each heartbeat
  /// until they have ended.
  record Leave(PoolId pool) implements PoolMessage {}

  /// Credit of an idle worker, on demand or on loan.
  ///
  /// @param epoch epoch of the dispatcher that asked
  record Credited(long epoch, WorkerCredit credit) implements PoolMessage {}

  /// Recalls lent credits without a job, because no worker is idle and another job needs one.
  record Recall(PoolId pool) implements PoolMessage {}

  /// Heartbeat of a pool, with its open credits at this partition. Answered with
  /// [WorkerPool.BeatAnswered].
  ///
  /// @param sentAt send time on the pool's own clock
  /// @param upTo last credit that the pool has given to any dispatcher
  record Beat(PoolId pool, long sentAt, long upTo, List<Long> credits) implements PoolMessage {
    public Beat {
      credits = List.copyOf(credits);
    }
  }

  /// Reports an attempt waiting for a child, which does not count against its queue's limit
  /// meanwhile. Repeated with each heartbeat.
  ///
  /// @param round number of this wait within the attempt
  record Parked(PoolId pool, long credit, JobId job, int round) implements PoolMessage {}

  /// Asks to resume an attempt after its wait for a child. Repeated with each heartbeat until
  /// answered with [WorkerPool.MayGoOn].
  record Unpark(PoolId pool, long credit, JobId job, int round) implements PoolMessage {}
}
