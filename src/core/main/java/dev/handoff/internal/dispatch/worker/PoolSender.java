package dev.handoff.internal.dispatch.worker;

import dev.handoff.internal.dispatch.WorkerPool;
import org.apache.pekko.actor.typed.ActorRef;

/// Messages of a worker to its pool.
///
/// @param name name of the worker
record PoolSender(String name, ActorRef<WorkerPool.Command> pool) {

  void idle(long credit) {
    pool.tell(new WorkerPool.Idle(name, credit));
  }

  void heldUp(WorkerAttempt attempt) {
    pool.tell(new WorkerPool.HeldUp(name, attempt.order().credit()));
  }

  void began(WorkerAttempt attempt) {
    pool.tell(new WorkerPool.Began(name, attempt.order().credit()));
  }

  void ended(WorkerAttempt attempt) {
    pool.tell(new WorkerPool.Ended(name, attempt.order().credit()));
  }

  void abandoned(WorkerAttempt attempt) {
    pool.tell(new WorkerPool.Abandoned(name, attempt.order().credit()));
  }

  /// Reports the whole parking state each time; the pool ignores known parts.
  void parking(WorkerAttempt attempt) {
    var parking = attempt.parking();
    long credit = attempt.order().credit();
    if (parking.parked()) {
      pool.tell(new WorkerPool.Parked(name, credit, attempt.job(), parking.round()));
    }
    if (parking.parked() && !parking.waiting().isEmpty()) {
      pool.tell(new WorkerPool.WantsToGoOn(name, credit, parking.round()));
    }
  }
}
