package dev.handoff.internal.dispatch.pool;

import dev.handoff.JobId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Workers of a pool and their places. A place is the capacity for one running attempt. Attempts
/// that wait for a child have no place, nor do ended attempts whose report is being written, so
/// they do not delay others. The pool hires extra workers on demand.
final class WorkerRoster {

  private final int places;
  private final Supplier<PoolWorker> hire;
  private final Map<String, PoolWorker> workers = new HashMap<>();
  private final Deque<PoolWorker> idle = new ArrayDeque<>();
  private final Map<Long, PoolWorker> given = new HashMap<>();
  private final Deque<PoolWorker> returning = new ArrayDeque<>();
  private int waiting;
  private int reporting;
  private int abandoned;
  private int heldUp;

  /// @param places number of attempts that may run at once
  /// @param hire creates a worker
  WorkerRoster(int places, Supplier<PoolWorker> hire) {
    this.places = places;
    this.hire = hire;
  }

  @Nullable PoolWorker get(String name) {
    return workers.get(name);
  }

  /// Worker of an open credit; null if the credit is closed.
  @Nullable PoolWorker of(long credit) {
    return given.get(credit);
  }

  /// Worker of an actor; null if unknown.
  @Nullable PoolWorker of(ActorRef<?> actor) {
    return workers.values().stream()
        .filter(worker -> worker.ref.equals(actor))
        .findFirst()
        .orElse(null);
  }

  /// Workers with a credit at a dispatcher, or with a running or waiting attempt.
  Collection<PoolWorker> given() {
    return given.values();
  }

  /// Whether a place is free.
  boolean hasRoom() {
    return busy() < places;
  }

  /// Assigns a credit to an idle worker. Requires a free place.
  PoolWorker give(long credit, int partition) {
    var worker = idle.isEmpty() ? hired() : idle.poll();
    worker.doing = PoolWorker.Doing.WORKING;
    worker.credit = credit;
    worker.partition = partition;
    worker.round = 0;
    given.put(credit, worker);
    return worker;
  }

  private PoolWorker hired() {
    var worker = hire.get();
    workers.put(worker.name, worker);
    return worker;
  }

  /// Releases a worker that is idle again.
  ///
  /// @return the worker, if enough others are idle and it is removed; null otherwise
  @Nullable PoolWorker release(PoolWorker worker) {
    leave(worker);
    worker.doing = PoolWorker.Doing.IDLE;
    if (idle.size() >= places) {
      workers.remove(worker.name);
      return worker;
    }
    // Most recently used worker first: its memory is in the CPU caches.
    idle.addFirst(worker);
    return null;
  }

  /// Removes a failed worker and its work.
  void lose(PoolWorker worker) {
    leave(worker);
    workers.remove(worker.name);
    idle.remove(worker);
  }

  private void leave(PoolWorker worker) {
    given.remove(worker.credit);
    worker.credit = 0;
    abandoned -= worker.doing == PoolWorker.Doing.ABANDONED ? 1 : 0;
    stopWaiting(worker);
    begin(worker);
  }

  /// Marks an attempt whose thread lacks a CPU.
  void holdUp(PoolWorker worker) {
    heldUp += worker.heldUp ? 0 : 1;
    worker.heldUp = true;
  }

  /// Clears the mark of a held-up attempt: its thread runs, or it has ended.
  void begin(PoolWorker worker) {
    heldUp -= worker.heldUp ? 1 : 0;
    worker.heldUp = false;
  }

  private void stopWaiting(PoolWorker worker) {
    waiting -= worker.doing.isWaiting() ? 1 : 0;
    reporting -= worker.doing == PoolWorker.Doing.REPORTING ? 1 : 0;
    if (worker.doing == PoolWorker.Doing.RETURNING) {
      returning.remove(worker);
    }
  }

  /// Frees the place of an ended attempt while its report is being written. Only a bounded number
  /// of attempts report without a place, so that reports do not pile up while the store is away.
  void report(PoolWorker worker) {
    begin(worker);
    if (worker.doing == PoolWorker.Doing.WORKING && reporting < places) {
      worker.doing = PoolWorker.Doing.REPORTING;
      reporting++;
    }
  }

  /// Frees the place of an attempt that waits for a child.
  void park(PoolWorker worker, JobId job, int round) {
    worker.doing = PoolWorker.Doing.PARKED;
    worker.job = job;
    worker.round = round;
    waiting++;
  }

  /// Queues an attempt that resumes with the next free place.
  void mayReturn(PoolWorker worker) {
    worker.doing = PoolWorker.Doing.RETURNING;
    returning.add(worker);
  }

  /// Takes the next attempt to resume; null if none, or without a free place.
  @Nullable PoolWorker nextReturn() {
    if (returning.isEmpty() || !hasRoom()) {
      return null;
    }
    var back = returning.poll();
    back.doing = PoolWorker.Doing.WORKING;
    waiting--;
    return back;
  }

  /// Whether an attempt needs a place to resume.
  boolean isAwaited() {
    return !returning.isEmpty();
  }

  /// Marks an abandoned attempt, which occupies a place until its code ends.
  void abandon(PoolWorker worker) {
    stopWaiting(worker);
    abandoned++;
    worker.doing = PoolWorker.Doing.ABANDONED;
  }

  int waiting() {
    return waiting;
  }

  int heldUp() {
    return heldUp;
  }

  int abandoned() {
    return abandoned;
  }

  /// Number of places in use.
  int busy() {
    return given.size() - waiting - reporting;
  }

  /// Whether only abandoned attempts are left.
  boolean isDone() {
    return given.size() == abandoned;
  }
}
