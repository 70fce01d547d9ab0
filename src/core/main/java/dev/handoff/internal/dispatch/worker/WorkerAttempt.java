package dev.handoff.internal.dispatch.worker;

import dev.handoff.JobId;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.job.WorkerOrder;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Attempt as its worker sees it; the dispatcher has a `DispatchedAttempt`.
///
/// @param run number that separates this run of the worker from earlier runs
/// @param stopped cause of the requested stop; null if none
public record WorkerAttempt(
    int run,
    WorkerOrder.Run order,
    HandlerAttempt attempt,
    Thread thread,
    @Nullable Cancellation stopped,
    ParkedThreads parking) {

  WorkerAttempt stopped(Cancellation why) {
    return new WorkerAttempt(run, order, attempt, thread, why, parking);
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
  WorkerAttempt park() {
    return with(parking.park());
  }

  /// Adds a thread that needs a place after its wait.
  WorkerAttempt plus(CompletableFuture<Void> waiting) {
    return with(parking.plus(waiting));
  }

  /// Releases all threads waiting for a place.
  WorkerAttempt goOn() {
    return with(parking.goOn());
  }

  private WorkerAttempt with(ParkedThreads next) {
    return new WorkerAttempt(run, order, attempt, thread, stopped, next);
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
