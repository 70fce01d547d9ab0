package dev.handoff.dispatch;

import dev.handoff.job.Credit;
import dev.handoff.job.JobId;
import dev.handoff.job.PoolId;
import dev.handoff.ledger.WireMessage;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/// What a worker pool tells a dispatcher.
public sealed interface FromPool extends Dispatcher.Command, WireMessage {

  /// A pool offers its workers. Idempotent; repeated with each heartbeat.
  ///
  /// @param lends how many idle workers it lends to a dispatcher that has no job for them yet
  /// @param remote whether it is timed by its heartbeats; else it is watched
  record Register(
      PoolId pool,
      Set<String> types,
      int workers,
      int lends,
      boolean remote,
      ActorRef<WorkerPool.Command> ref)
      implements FromPool {
    public Register {
      types = Set.copyOf(types);
    }
  }

  /// A pool leaves in peace: it takes no new work, its running attempts go on. Repeated with each
  /// heartbeat until they have ended.
  record Leave(PoolId pool) implements FromPool {}

  /// The credit of an idle worker, for a dispatcher that wants one or would keep one at hand.
  ///
  /// @param epoch of the dispatcher that asked
  record Credited(long epoch, Credit credit) implements FromPool {}

  /// No worker is idle any more, and somebody has a job for one: what was lent, and has no job yet,
  /// is given back.
  record Recall(PoolId pool) implements FromPool {}

  /// A pool is alive, and these are the credits that it has given to this partition and not got
  /// back. Answered with [WorkerPool.BeatAnswered].
  ///
  /// @param sentAt when it was sent, on the pool's own clock
  /// @param upTo the last credit that the pool has given to anybody
  record Beat(PoolId pool, long sentAt, long upTo, List<Long> credits) implements FromPool {
    public Beat {
      credits = List.copyOf(credits);
    }
  }

  /// An attempt waits for a child: it does not count against its queue's limit meanwhile. Repeated
  /// with each heartbeat.
  ///
  /// @param round which of its waits this is
  record Parked(PoolId pool, long credit, JobId job, int round) implements FromPool {}

  /// An attempt that waited for a child wants to go on. Repeated with each heartbeat until it is
  /// answered with [WorkerPool.MayGoOn].
  record Unpark(PoolId pool, long credit, JobId job, int round) implements FromPool {}
}
