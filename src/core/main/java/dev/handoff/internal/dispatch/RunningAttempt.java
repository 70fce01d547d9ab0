package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.job.WorkerOrder;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Running attempt as seen by its worker.
///
/// @param run number that separates this run of the worker from earlier runs
/// @param stopped cause of the requested stop; null if none
record RunningAttempt(
    int run,
    WorkerOrder.Run order,
    HandlerAttempt attempt,
    Thread thread,
    @Nullable Cancellation stopped,
    ParkedThreads parking) {

  RunningAttempt stopped(Cancellation why) {
    return new RunningAttempt(run, order, attempt, thread, why, parking);
  }

  /// Whether the attempt may give up its place. If several threads wait for children, the first one
  /// that resumes ends the parking. A stopping attempt is not parked: it only cleans up.
  boolean mayPark() {
    return stopped == null && !isParked();
  }

  boolean isParked() {
    return parking.parked();
  }

  /// Parks the attempt, as a thread waits for a child.
  RunningAttempt park() {
    return with(parking.park());
  }

  /// Adds a thread that needs a place after its wait.
  RunningAttempt plus(CompletableFuture<Void> waiting) {
    return with(parking.plus(waiting));
  }

  /// Releases all threads waiting for a place.
  RunningAttempt goOn() {
    return with(parking.goOn());
  }

  private RunningAttempt with(ParkedThreads next) {
    return new RunningAttempt(run, order, attempt, thread, stopped, next);
  }

  boolean has(long credit) {
    return order.credit() == credit;
  }

  boolean isOf(WorkerOrder.Run other) {
    return has(other.credit()) && order.job().equals(other.job());
  }

  boolean isOf(WorkerOrder.Stop stop) {
    return has(stop.credit()) && order.job().equals(stop.job());
  }

  JobId job() {
    return order.job();
  }

  int number() {
    return order.attempt();
  }
}
