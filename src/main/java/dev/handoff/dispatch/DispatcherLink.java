package dev.handoff.dispatch;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.pekko.actor.typed.ActorRef;

/// A dispatcher, as a pool sees it: how many workers it wants, and when it was last heard.
final class DispatcherLink {

  final int partition;
  final long epoch;
  final ActorRef<Dispatcher.Command> dispatcher;
  private final Deque<Long> unseen = new ArrayDeque<>();
  private int wanted;
  private int spare;
  private int idle;
  private long answered;

  /// @param now on the pool's own clock
  DispatcherLink(WorkerPool.Registered registered, long now) {
    this.partition = registered.partition();
    this.epoch = registered.epoch();
    this.dispatcher = registered.dispatcher();
    this.answered = now;
  }

  /// So many workers are wanted beside the credits that had arrived.
  void want(WorkerPool.Want want) {
    wanted = want.workers();
    spare = want.spare();
    idle = want.idle();
    while (!unseen.isEmpty() && unseen.peek() <= want.seen()) {
      unseen.poll();
    }
  }

  /// Whether it would keep more at hand than is on its way to it.
  boolean wouldBorrow() {
    return wanted + spare > unseen.size();
  }

  /// How many it has at hand without a job for them, or will have: what is on its way beyond those
  /// that it wants was lent.
  int idle() {
    return idle + Math.max(0, unseen.size() - wanted);
  }

  /// What it has at hand was recalled.
  ///
  /// @return whether it has anything
  boolean recall() {
    boolean any = idle > 0;
    idle = 0;
    return any;
  }

  /// Whether it wants more than is on its way to it.
  boolean isWanting() {
    return wanted > unseen.size();
  }

  void sent(long credit) {
    unseen.add(credit);
  }

  /// A beat was answered: by then the dispatcher had heard of it.
  void answered(long sentAt) {
    answered = Math.max(answered, sentAt);
  }

  /// When the last beat that was answered was sent.
  long answeredAt() {
    return answered;
  }
}
