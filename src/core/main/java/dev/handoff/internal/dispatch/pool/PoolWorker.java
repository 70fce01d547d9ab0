package dev.handoff.internal.dispatch.pool;

import dev.handoff.JobId;
import dev.handoff.internal.dispatch.worker.Worker;
import dev.handoff.internal.job.WorkerOrder;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Worker as its pool sees it.
final class PoolWorker {

  /// Activity of a worker.
  enum Doing {
    /// Idle: no credit is open.
    IDLE,
    /// Credit is at a dispatcher, or the attempt runs; both occupy a place.
    WORKING,
    /// Attempt has ended, report not recorded yet.
    REPORTING,
    /// Attempt waits for a child without a place.
    PARKED,
    /// Child has ended; a queue slot is requested.
    ASKING,
    /// Queue slot is granted; a place in the pool is not free yet.
    RETURNING,
    /// Attempt was abandoned, still runs, and occupies a place.
    ABANDONED;

    /// Whether the attempt waits for a child, or afterwards for slot or place.
    boolean isWaiting() {
      return this == PARKED || this == ASKING || this == RETURNING;
    }
  }

  final String name;
  final ActorRef<Worker.Command> ref;
  final ActorRef<WorkerOrder> orders;
  Doing doing = Doing.IDLE;

  /// Open credit of this worker; 0 = none.
  long credit;

  /// Partition that holds the credit.
  int partition;

  /// Job of the waiting attempt, and the wait's number.
  @Nullable JobId job;

  int round;

  /// Whether the attempt's thread lacks a CPU.
  boolean heldUp;

  PoolWorker(String name, ActorRef<Object> ref) {
    this.name = name;
    this.ref = ref.narrow();
    this.orders = ref.narrow();
  }
}
