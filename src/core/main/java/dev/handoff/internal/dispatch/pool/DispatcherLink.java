package dev.handoff.internal.dispatch.pool;

import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.WorkerPool;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.pekko.actor.typed.ActorRef;

/// Dispatcher as seen by a pool: its demand for workers and its last answer.
final class DispatcherLink {

  final int partition;
  final long epoch;
  final ActorRef<Dispatcher.Command> dispatcher;
  private final Deque<Long> unseen = new ArrayDeque<>();
  private int wanted;
  private int spare;
  private int idle;
  private long answered;

  /// @param now time of the pool's own clock
  DispatcherLink(WorkerPool.Registered registered, long now) {
    this.partition = registered.partition();
    this.epoch = registered.epoch();
    this.dispatcher = registered.dispatcher();
    this.answered = now;
  }

  /// Updates the demand: workers wanted in addition to arrived credits.
  void want(WorkerPool.Want want) {
    wanted = want.workers();
    spare = want.spare();
    idle = want.idle();
    while (!unseen.isEmpty() && unseen.peek() <= want.seen()) {
      unseen.poll();
    }
  }

  /// Whether the dispatcher would keep additional credits, beyond those in flight.
  boolean wouldBorrow() {
    return wanted + spare > unseen.size();
  }

  /// Number of credits without a job, at hand or in flight: credits in flight beyond the demand are
  /// loans.
  int idle() {
    return idle + Math.max(0, unseen.size() - wanted);
  }

  /// Counts the credits at hand as recalled.
  ///
  /// @return whether there were any
  boolean recall() {
    boolean any = idle > 0;
    idle = 0;
    return any;
  }

  /// Whether the dispatcher wants additional workers, beyond credits in flight.
  boolean isWanting() {
    return wanted > unseen.size();
  }

  void sent(long credit) {
    unseen.add(credit);
  }

  /// Records an answered heartbeat's send time: the dispatcher heard from the pool no earlier.
  void answered(long sentAt) {
    answered = Math.max(answered, sentAt);
  }

  /// Send time of the last answered heartbeat.
  long answeredAt() {
    return answered;
  }
}
