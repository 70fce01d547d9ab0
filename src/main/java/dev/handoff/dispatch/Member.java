package dev.handoff.dispatch;

import dev.handoff.job.JobId;
import dev.handoff.job.WorkerOrder;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// A worker, as its pool sees it.
final class Member {

  /// What a worker is doing.
  enum Doing {
    /// Nothing: it may be given away.
    IDLE,
    /// Its credit is with a dispatcher, or its attempt runs: it has a place.
    WORKING,
    /// Its attempt has ended, and its report is not recorded yet.
    REPORTING,
    /// Its attempt waits for a child, and has no place.
    PARKED,
    /// The child has ended; the dispatcher has been asked whether the queue has room.
    ASKING,
    /// The queue has room; the pool has not.
    RETURNING,
    /// Its attempt has been given up and still runs: the place is taken.
    ABANDONED;

    /// Whether its attempt waits for a child, or for room after that.
    boolean isWaiting() {
      return this == PARKED || this == ASKING || this == RETURNING;
    }
  }

  final String name;
  final ActorRef<Worker.Command> worker;
  final ActorRef<WorkerOrder> orders;
  Doing doing = Doing.IDLE;

  /// The credit that was given away; 0 = none.
  long credit;

  /// To which partition.
  int partition;

  /// Whose attempt waits for a child, and which of its waits this is.
  @Nullable JobId job;

  int round;

  /// Whether the thread of its attempt waits for a processor.
  boolean heldUp;

  Member(String name, ActorRef<Object> worker) {
    this.name = name;
    this.worker = worker.narrow();
    this.orders = worker.narrow();
  }
}
